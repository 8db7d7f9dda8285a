/**
 * Kubeconfigs of a cluster. The client certificate of the administrator's is in the group system:masters, which
 * Kubernetes trusts before any binding exists and after every binding is lost (docs/decisions/0003-cluster-keys.md).
 * Each is valid for one year and is renewed once less than half of that is left.
 */
import { parse } from 'yaml';
import { isJsonObject, stringAt } from '#lib/api/json.ts';
import { rememberedByHash } from '#lib/api/remembered.ts';
import { yamlText } from '#lib/api/yaml.ts';
import type { World } from '#lib/fn/world.ts';
import { isFresh, type Lifetime, lifetimeOf } from './client.ts';
import { issueClient, type Subject } from './issue.ts';
import type { Pair } from './pem.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The authority of the Kubernetes API (PEM), and that of client certificates. */
export interface Authorities {
  readonly server: string;
  readonly client: Pair;
}

/** Whose kubeconfig it is. */
export interface Holder {
  /** The name of its user begins with the cluster's and ends with this. */
  readonly suffix: string;
  readonly subject: Subject;
}

export const ADMINISTRATOR: Holder = {
  suffix: 'admin',
  subject: { name: 'kubernetes-admin', group: 'system:masters' },
};

/** Its rights are in docs/install/workload-cluster.yaml. */
export const PROVIDER_NODE: Holder = { suffix: 'provider-node', subject: { name: 'slipway:provider-node' } };

export async function newKubeconfig(
  world: World,
  cluster: string,
  endpoint: Endpoint,
  authorities: Authorities,
  { suffix, subject }: Holder = ADMINISTRATOR,
): Promise<string> {
  const client = await issueClient(world, authorities.client, subject);
  const user = `${cluster}-${suffix}`;
  // A cluster may have the name "on".
  return yamlText({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: cluster,
        cluster: { server: serverOf(endpoint), 'certificate-authority-data': base64(authorities.server) },
      },
    ],
    users: [
      { name: user, user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) } },
    ],
    contexts: [{ name: `${user}@${cluster}`, context: { cluster, user } }],
    'current-context': `${user}@${cluster}`,
  });
}

/**
 * Whether a kubeconfig is still usable: same endpoint, same authority, its own key, more than half of its lifetime
 * left.
 */
export function isGood(text: string, now: Date, endpoint: Endpoint, authorities: Authorities): boolean {
  return isFresh(lifetimeIn(text, serverOf(endpoint), authorities.server, authorities.client.cert), now);
}

const lifetimeIn = rememberedByHash(usableFor, 2000);

/** Its lifetime, if it leads to the server and belongs to both authorities. */
function usableFor(text: string, server: string, serverAuthority: string, authority: string): Lifetime | undefined {
  const config = parsed(text);
  const cluster = firstOf(config, 'clusters');
  const user = firstOf(config, 'users');
  if (stringAt(cluster, 'cluster', 'server') !== server) return undefined;
  if (stringAt(cluster, 'cluster', 'certificate-authority-data') !== base64(serverAuthority)) return undefined;
  const client = stringAt(user, 'user', 'client-certificate-data');
  const key = stringAt(user, 'user', 'client-key-data');
  if (client === undefined || key === undefined) return undefined;
  try {
    return lifetimeOf(bytes(client).toString(), bytes(key).toString(), authority);
  } catch {
    return undefined; // not a certificate, or not a key
  }
}

function serverOf({ host, port }: Endpoint): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function parsed(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch {
    return undefined;
  }
}

function firstOf(config: unknown, key: string): unknown {
  const list = isJsonObject(config) ? config[key] : undefined;
  return Array.isArray(list) ? list[0] : undefined;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
