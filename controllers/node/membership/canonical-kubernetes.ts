/** etcd of Canonical Kubernetes: another control plane's k8sd takes a Node out of it, and out of its own cluster. */
import type { KubeObject } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { unlistedMembers } from '#lib/node/members.ts';
import { controlPlanes } from './addresses.ts';
import { K8sd } from './k8sd.ts';
import { authTokenIn, type Secret, type Store } from './store.ts';

export interface CanonicalKubernetesParts {
  /** Of the workload cluster. */
  readonly client: KubeClient;
  /** With the token that k8sd accepts. */
  readonly secret: () => Promise<Secret>;
  /** Name of the Node that is to leave. */
  readonly own: string;
  /** The WorkloadNodes of the cluster. */
  readonly peers: readonly KubeObject[];
}

export function canonicalKubernetesEtcd({ client, secret, own, peers }: CanonicalKubernetesParts): Store {
  const first = async <T>(use: (k8sd: K8sd) => Promise<T>) =>
    K8sd.first({ client, token: authTokenIn(await secret()), leaving: own }, use);
  return {
    members: async () => {
      const members = unlistedMembers(await controlPlanes(client), peers, own);
      if (members.some(({ name }) => name === own) && members.length > 1) await first(() => Promise.resolve());
      return members;
    },
    leave: async ({ member }) => {
      await first((k8sd) => k8sd.remove(member.name));
      return 'Left';
    },
  };
}
