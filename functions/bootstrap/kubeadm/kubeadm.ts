/** kubeadm: static authorities for the cluster, a token for each machine, init and join on its machines. */
import { seconds } from '#lib/api/fields/text.ts';
import { describeObject } from '#lib/api/names.ts';
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { registriesScript } from '../registries-update.ts';
import { CA, partsOf } from './authorities.ts';
import { KubeadmConfig, OF_THE_CLUSTER, readKubeadmConfig } from './config.ts';
import { encrypts } from './encryption.ts';
import { placeOf, refuseMove } from './etcd.ts';
import { kubeletScript } from './kubelet-update.ts';
import { machineScope } from './machine.ts';
import { kubeletPatches } from './patches.ts';
import { mirrorsOf } from './runtime.ts';
import { refuseNewer } from './since.ts';
import { versionScript } from './version-update.ts';

export const kubeadm: Bootstrapper = {
  config: {
    schema: KubeadmConfig,
    about: 'Fields of the ClusterConfiguration, InitConfiguration and JoinConfiguration of kubeadm.',
    ofTheCluster: OF_THE_CLUSTER,
  },
  forCluster: (call) => {
    const { bootstrap, version } = call.composite.spec;
    const config = readKubeadmConfig(bootstrap.config, call.owner);
    refuseNewer(config, version, call.owner);
    refuseMove(call.composite, config, call.owner);
    const { encryptionAlgorithm: algorithm, caCertificateValidityPeriod: period } = config;
    const terms = { algorithm, validity: period === undefined ? undefined : seconds(period) };
    return keepCluster(call, {
      parts: partsOf(config, encrypts(call.composite, config, call.request)),
      terms,
      authority: CA,
      clientAuthority: CA,
      etcd: placeOf(config),
    });
  },
  forMachine: machineScope,
  join: () => ({ kind: 'Kubeadm' }),
  forUpdate: ({ machine, cluster, owner }) => {
    const { version, provisioning, bootstrap } = machine.spec;
    const config = readKubeadmConfig(bootstrap.config, owner);
    const clusterConfig = readKubeadmConfig(cluster.spec.bootstrap.config, describeObject(cluster));
    return [
      versionScript(version, config),
      kubeletScript(kubeletPatches({ machine, config, clusterConfig, owner })),
      registriesScript(mirrorsOf(provisioning.registries, owner)),
    ];
  },
};
