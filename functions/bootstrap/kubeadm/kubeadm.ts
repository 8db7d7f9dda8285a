/** kubeadm: static authorities and token on the cluster's side, init and join on the machine's. */
import type { Bootstrapper } from '../bootstrapper.ts';
import { readClaimConfig } from '../claim-config.ts';
import { keepCluster } from '../cluster.ts';
import { CA, PARTS } from './authorities.ts';
import { KubeadmConfig } from './config.ts';
import { machineScope } from './machine.ts';
import { updateScript } from './update.ts';

export const kubeadm: Bootstrapper = {
  plan: 'scripted',
  forCluster: (call) => {
    const { config } = call.composite.spec.bootstrap;
    const { encryptionAlgorithm: algorithm } = readClaimConfig(KubeadmConfig, config, call.owner);
    return keepCluster(call, { parts: PARTS, algorithm, authority: CA, clientAuthority: CA });
  },
  forMachine: machineScope,
  forUpdate: updateScript,
};
