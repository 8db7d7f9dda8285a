/**
 * Talos Linux: authorities and tokens of the cluster, a machine configuration for each machine, and one API call to
 * start the cluster.
 */
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { CA, PARTS } from './bundle.ts';
import { OF_THE_CLUSTER, readTalosConfig, TalosConfig } from './config.ts';
import { machineScope } from './machine.ts';
import { composeTalosconfig, TALOSCONFIG, talosconfigName } from './talosconfig.ts';

export const talos: Bootstrapper = {
  config: {
    schema: TalosConfig,
    about: 'Parts of the Talos machine configuration, with the same names.',
    ofTheCluster: OF_THE_CLUSTER,
  },
  forCluster: async (call) => {
    readTalosConfig(call.composite.spec.bootstrap.config, call.owner);
    const keeping = { parts: PARTS, terms: { algorithm: 'ECDSA-P256' }, authority: CA, clientAuthority: CA } as const;
    await composeTalosconfig(call, await keepCluster(call, keeping));
  },
  forMachine: machineScope,
  start: (cluster) => ({
    contract: 1,
    kind: 'Talos',
    secretRef: { name: talosconfigName(cluster), key: TALOSCONFIG },
  }),
};
