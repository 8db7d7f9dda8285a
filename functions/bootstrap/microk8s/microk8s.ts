/**
 * MicroK8s: a snap that is configured before it starts, one authority, and a token that is created before the cluster.
 */
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { registriesScript } from '../registries-update.ts';
import { CA, PARTS } from './authorities.ts';
import { MicroK8sConfig, OF_THE_CLUSTER, readMicroK8sConfig } from './config.ts';
import { refuseUnsaid } from './facts.ts';
import { machineScope, mirrorsOf } from './machine.ts';

export const microk8s: Bootstrapper = {
  config: {
    schema: MicroK8sConfig,
    about: 'Fields of the MicroK8s launch configuration, and which snap is installed.',
    ofTheCluster: OF_THE_CLUSTER,
  },
  forCluster: (call) => {
    const { composite: cluster, owner } = call;
    readMicroK8sConfig(cluster.spec.bootstrap.config, owner);
    refuseUnsaid(cluster.spec.version, cluster, owner);
    return keepCluster(call, { parts: PARTS, terms: { algorithm: 'RSA-2048' }, authority: CA, clientAuthority: CA });
  },
  forMachine: machineScope,
  forUpdate: ({ machine, owner }) => [registriesScript({ files: mirrorsOf(machine, owner) })],
};
