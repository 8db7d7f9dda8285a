/**
 * The administrator's kubeconfig. Its client certificate is in the group system:masters, which Kubernetes trusts
 * before any binding exists; it lives for one year and is issued again once less than half of that is left.
 */
import { X509Certificate } from 'node:crypto';
import { parse, stringify } from 'yaml';
import { isJsonObject, stringAt } from '#lib/api/json.ts';
import type { World } from '#lib/fn/world.ts';
import { issueClient } from './issue.ts';
import type { Pair } from './pem.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

const HALF_LIFE = (365 / 2) * 24 * 3600_000;
const ADMIN = { name: 'kubernetes-admin', group: 'system:masters' } as const;

export async function newKubeconfig(
  world: World,
  cluster: string,
  endpoint: Endpoint,
  authority: Pair,
): Promise<string> {
  const client = await issueClient(world, authority, ADMIN);
  const user = `${cluster}-admin`;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: cluster, cluster: { server: serverOf(endpoint), 'certificate-authority-data': base64(authority.cert) } },
    ],
    users: [
      { name: user, user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) } },
    ],
    contexts: [{ name: `${user}@${cluster}`, context: { cluster, user } }],
    'current-context': `${user}@${cluster}`,
  });
}

/** Whether a kubeconfig still does: same endpoint, same authority, and more than half of its certificate's life left. */
export function isGood(text: string, now: Date, endpoint: Endpoint, authority: Pair): boolean {
  const config = parsed(text);
  const [cluster] = listAt(config, 'clusters');
  const [user] = listAt(config, 'users');
  if (stringAt(cluster, 'cluster', 'server') !== serverOf(endpoint)) return false;
  if (stringAt(cluster, 'cluster', 'certificate-authority-data') !== base64(authority.cert)) return false;
  const certificate = stringAt(user, 'user', 'client-certificate-data');
  if (certificate === undefined) return false;
  try {
    const { validTo } = new X509Certificate(Buffer.from(certificate, 'base64'));
    return new Date(validTo).getTime() - now.getTime() > HALF_LIFE;
  } catch {
    return false;
  }
}

function serverOf({ host, port }: Endpoint): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function listAt(config: unknown, key: string): readonly unknown[] {
  const list = isJsonObject(config) ? config[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
