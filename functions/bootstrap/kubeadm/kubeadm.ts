/** kubeadm: static authorities and token on the cluster's side, init and join on the machine's. */
import { SlipwayError } from '#lib/api/errors.ts';
import { seconds } from '#lib/api/fields/text.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { CA, partsOf } from './authorities.ts';
import { readKubeadmConfig } from './config.ts';
import { machineScope } from './machine.ts';
import { refuseNewer } from './since.ts';
import { updateScript } from './update.ts';

export const kubeadm: Bootstrapper = {
  plan: 'scripted',
  os: ['linux', 'windows'],
  forCluster: (call) => {
    const { bootstrap, version } = call.composite.spec;
    const config = readKubeadmConfig(bootstrap.config, call.owner);
    refuseNewer(config, version, call.owner);
    const etcd = config.etcd.external === undefined ? 'Local' : 'External';
    refuseMove(call.composite, etcd, call.owner);
    const { encryptionAlgorithm: algorithm, caCertificateValidityPeriod: period } = config;
    const terms = { algorithm, validity: period === undefined ? undefined : seconds(period) };
    return keepCluster(call, { parts: partsOf(config), terms, authority: CA, clientAuthority: CA, etcd });
  },
  forMachine: machineScope,
  forUpdate: updateScript,
};

/** What is stored in one etcd is not in another: the cluster would begin anew behind its endpoint. */
function refuseMove({ status }: Cluster, etcd: 'Local' | 'External', owner: string): void {
  const { certificates } = status ?? {};
  if (certificates === undefined || (certificates.etcd ?? 'Local') === etcd) return;
  const accepted = etcd === 'Local' ? 'the etcd elsewhere that it was made with' : 'nothing';
  throw new SlipwayError(
    'InvalidClaim',
    `cannot accept ${owner}: spec.bootstrap.config.etcd.external: etcd cannot move once certificates are made; accepted: ${accepted}`,
  );
}
