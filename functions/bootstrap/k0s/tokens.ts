/**
 * Pre-shared tokens: a join token in the format of k0s, and the Secrets by which a cluster accepts them. The first
 * controller applies the files in its manifest folder to the cluster, so no API call is needed.
 */
import { stableGzip } from '#lib/fn/gzip.ts';
import { yamlDocument, yamlText } from '#lib/api/yaml.ts';
import type { TokenRole } from './authorities.ts';
import type { K0sFacts } from './facts.ts';
import { JOIN_PORT } from './traits.ts';

/** The user that k0s maps the token to. */
const USERS: Readonly<Record<TokenRole, string>> = { controller: 'controller-bootstrap', worker: 'kubelet-bootstrap' };

/** A gzipped kubeconfig in base64. It contains the authority, so a joining machine trusts nothing else. */
export function joinToken(role: TokenRole, { endpoint, ca, tokens }: K0sFacts): string {
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
  // Controllers call the API of k0s, workers that of Kubernetes.
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

/** Allowed uses of each token; the second use of a controller token is for older releases. */
const USAGES: Readonly<Record<TokenRole, readonly string[]>> = {
  controller: ['usage-bootstrap-controller-join', 'usage-controller-join'],
  worker: ['usage-bootstrap-authentication'],
};

/** They never expire, because machines join at any time. */
export function tokenSecrets({ tokens }: K0sFacts): string {
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
