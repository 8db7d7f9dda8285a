/**
 * Canonical Kubernetes: the first machine gets the whole configuration; joining machines need a token that the running
 * cluster creates, which provider-node asks for.
 */
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { registriesScript } from '../registries-update.ts';
import { mirrorFiles } from '../runtime-files.ts';
import { CA, CLIENT_CA, PARTS } from './authorities.ts';
import { CanonicalKubernetesConfig, OF_THE_CLUSTER, readCanonicalKubernetesConfig } from './config.ts';
import { refuseOlder } from './facts.ts';
import { HOSTS, machineScope } from './machine.ts';

export const canonicalKubernetes: Bootstrapper = {
  config: {
    schema: CanonicalKubernetesConfig,
    about: 'Keys of the Canonical Kubernetes bootstrap file, and the risk level of the snap.',
    ofTheCluster: OF_THE_CLUSTER,
  },
  forCluster: (call) => {
    const { composite: cluster, owner } = call;
    readCanonicalKubernetesConfig(cluster.spec.bootstrap.config, owner);
    refuseOlder(cluster.spec.version, owner);
    const terms = { algorithm: 'RSA-2048' } as const;
    return keepCluster(call, { parts: PARTS, terms, authority: CA, clientAuthority: CLIENT_CA });
  },
  forMachine: machineScope,
  join: ({ spec }) => {
    if (spec.bootstrap.action === 'Init') return undefined;
    const isWorker = spec.role === 'worker';
    return { kind: isWorker ? 'CanonicalKubernetesWorker' : 'CanonicalKubernetesControlPlane' };
  },
  forUpdate: ({ machine, owner }) => [
    registriesScript({ files: mirrorFiles(HOSTS, machine.spec.provisioning.registries, owner) }),
  ],
};
