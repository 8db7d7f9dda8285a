/** k0s: the same authorities as kubeadm, and tokens that are created before the cluster. */
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { CA, PARTS } from './authorities.ts';
import { K0sConfig, OF_THE_CLUSTER, readK0sConfig } from './config.ts';
import { machineScope } from './machine.ts';

export const k0s: Bootstrapper = {
  plan: 'scripted',
  config: {
    schema: K0sConfig,
    about: 'Fields of the spec of the k0s ClusterConfig, flags of k0s, and how k0s is installed.',
    ofTheCluster: OF_THE_CLUSTER,
  },
  forCluster: (call) => {
    const { encryptionAlgorithm: algorithm } = readK0sConfig(call.composite.spec.bootstrap.config, call.owner);
    return keepCluster(call, { parts: PARTS, terms: { algorithm }, authority: CA, clientAuthority: CA });
  },
  forMachine: machineScope,
};
