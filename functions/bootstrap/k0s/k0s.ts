/** k0s: the same authorities as kubeadm, and a token for each machine that joins. */
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { isNew } from '../records.ts';
import { registriesScript } from '../registries-update.ts';
import { CA, PARTS } from './authorities.ts';
import { K0sConfig, OF_THE_CLUSTER, readK0sConfig } from './config.ts';
import { refuseUnverified } from './rules.ts';
import { machineScope, mirrorsOf } from './machine.ts';

export const k0s: Bootstrapper = {
  config: {
    schema: K0sConfig,
    about: 'Fields of the spec of the k0s ClusterConfig, flags of k0s, and how k0s is installed.',
    ofTheCluster: OF_THE_CLUSTER,
  },
  forCluster: (call) => {
    const { composite, owner, request } = call;
    const config = readK0sConfig(composite.spec.bootstrap.config, owner);
    const { encryptionAlgorithm: algorithm } = config;
    // Its first machine would be refused, after its network was made.
    if (isNew(request, composite)) refuseUnverified(config, owner);
    return keepCluster(call, { parts: PARTS, terms: { algorithm }, authority: CA, clientAuthority: CA });
  },
  forMachine: machineScope,
  forUpdate: ({ machine, owner }) => [registriesScript(mirrorsOf(machine, owner))],
  join: ({ spec }) => {
    if (spec.bootstrap.action === 'Init') return undefined;
    return { kind: spec.role === 'control-plane' ? 'K0sController' : 'K0sWorker' };
  },
};
