/** kubeadm: static authorities and token on the cluster's side, init and join on the machine's. */
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { CA, PARTS } from './authorities.ts';
import { readKubeadmConfig } from './config.ts';
import { machineScope } from './machine.ts';
import { updateScript } from './update.ts';

export const kubeadm: Bootstrapper = {
  plan: 'scripted',
  forCluster: (call) => {
    const { encryptionAlgorithm: algorithm } = readKubeadmConfig(call.composite.spec.bootstrap.config, call.owner);
    return keepCluster(call, { parts: PARTS, algorithm, authority: CA, clientAuthority: CA });
  },
  forMachine: machineScope,
  forUpdate: updateScript,
};
