/** Bootstrap tokens of kubeadm in the API of a workload cluster: its authenticator accepts these Secrets, until they are deleted. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';

const TYPE = 'bootstrap.kubernetes.io/token';
export const TOKENS = { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system' } as const;
/** Hours that kubeadm lets a token live by default. */
const LIVES = 24;

/** As `kubeadm init` writes it. */
export function tokenSecret(token: string): KubeObject {
  const [id = '', secret = ''] = token.split('.');
  const expiration = `${new Date(Date.now() + LIVES * 3_600_000).toISOString().slice(0, 19)}Z`;
  const data = {
    'token-id': id,
    'token-secret': secret,
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    expiration,
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: TOKENS.namespace },
    type: TYPE,
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  };
}

/** The token of a Secret; undefined: it is another kind of Secret. */
export function tokenIn(secret: KubeObject): string | undefined {
  if (secret['type'] !== TYPE) return undefined;
  const text = (key: string): string => Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString('utf8');
  return `${text('token-id')}.${text('token-secret')}`;
}
