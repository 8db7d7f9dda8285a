/**
 * Pre-shared tokens: a join token as k0s reads it, and the Secrets by which a cluster knows them. The first
 * controller's k0s puts what lies in its folder of manifests into the cluster it starts, so nobody has to call it.
 */
import { stableGzip } from '#lib/fn/gzip.ts';
import { yamlDocument, yamlText } from '#lib/api/yaml.ts';
import type { TokenRole } from './authorities.ts';
import type { Facts } from './facts.ts';
import { JOIN_PORT } from './traits.ts';

/** Who k0s takes a bearer of the token for. */
const USERS: Readonly<Record<TokenRole, string>> = { controller: 'controller-bootstrap', worker: 'kubelet-bootstrap' };

/** base64 of a gzipped kubeconfig. It holds the authority, so whoever joins trusts nobody else. */
export function joinToken(role: TokenRole, { endpoint, ca, tokens }: Facts): string {
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
  // Controllers call k0s' own API, workers that of Kubernetes.
  const port = role === 'controller' ? JOIN_PORT : endpoint.port;
  const user = USERS[role];
  const kubeconfig = {
    apiVersion: 'v1',
    clusters: [
      {
        cluster: {
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
          server: `https://${host}:${port}`,
        },
        name: 'k0s',
      },
    ],
    contexts: [{ context: { cluster: 'k0s', user }, name: 'k0s' }],
    'current-context': 'k0s',
    kind: 'Config',
    preferences: {},
    users: [{ name: user, user: { token: tokens[role] } }],
  };
  return stableGzip(yamlText(kubeconfig)).toString('base64');
}

/** What each may be used for; the second word of a controller's is that of older releases. */
const USAGES: Readonly<Record<TokenRole, readonly string[]>> = {
  controller: ['usage-bootstrap-controller-join', 'usage-controller-join'],
  worker: ['usage-bootstrap-authentication'],
};

/** They never expire: machines join at any time. */
export function tokenSecrets({ tokens }: Facts): string {
  const roles = Object.keys(USAGES) as TokenRole[];
  return roles.map((role) => yamlDocument(tokenSecret(role, tokens[role]))).join('');
}

function tokenSecret(role: TokenRole, token: string): object {
  const [id = '', secret = ''] = token.split('.');
  const data = {
    'token-id': id,
    'token-secret': secret,
    ...Object.fromEntries(USAGES[role].map((usage) => [usage, 'true'])),
  };
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(encoded),
  };
}
