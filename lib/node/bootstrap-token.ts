/**
 * Bootstrap tokens: text in a Secret of the management cluster, and the Secret by which a workload cluster accepts one.
 * Clusters delete tokens that have expired, and refuse them from then on.
 */
import type { BootstrapKind } from '#lib/api/fields/join.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';

export const TOKEN_NAMESPACE = 'kube-system';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** What each kind of token allows. The second use of a k0s controller token is for older releases. */
const ALLOWS: Readonly<Record<BootstrapKind, Readonly<Record<string, string>>>> = {
  Kubeadm: {
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
  },
  K0sController: { 'usage-bootstrap-controller-join': 'true', 'usage-controller-join': 'true' },
  K0sWorker: { 'usage-bootstrap-authentication': 'true' },
};

/** What is known of a token without its secret half. The id is public: it is part of the name of a Secret. */
export type JoinToken = 'Missing' | 'Unusable' | { readonly id: string };

/** @param text  undefined: there is no Secret, or it has no such key */
export function joinTokenOf(text: string | undefined): JoinToken {
  if (text === undefined) return 'Missing';
  const [, id] = TOKEN.exec(text) ?? [];
  return id === undefined ? 'Unusable' : { id };
}

export function tokenSecretName(id: string): string {
  return `bootstrap-token-${id}`;
}

/**
 * The Secret in the workload cluster.
 * @param token  accepted by `joinTokenOf`
 * @param expires  UTC, whole seconds
 * @param machine  for people, such as team-a/general-0
 */
export function tokenSecret(kind: BootstrapKind, token: string, expires: string, machine: string): KubeObject {
  const [, id = '', secret = ''] = TOKEN.exec(token) ?? [];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: tokenSecretName(id), namespace: TOKEN_NAMESPACE },
    type: 'bootstrap.kubernetes.io/token',
    data: encoded({
      'token-id': id,
      'token-secret': secret,
      description: `Slipway: Machine ${machine} joins by it`,
      ...ALLOWS[kind],
      expiration: expires,
    }),
  };
}

/** A merge patch for a token of others. @param expires  UTC, whole seconds */
export function expiryPatch(expires: string): JsonObject {
  return { data: encoded({ expiration: expires }) };
}

function encoded(data: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}
