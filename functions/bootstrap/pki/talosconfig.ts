/**
 * The administrator's talosconfig: credentials for the Talos API of the machines. Like that of the kubeconfig, its
 * client certificate is valid for one year and is renewed once less than half of that is left. It has the role
 * os:admin.
 */
import { parse } from 'yaml';
import { stringAt } from '#lib/api/json.ts';
import { rememberedByHash } from '#lib/api/remembered.ts';
import { yamlText } from '#lib/api/yaml.ts';
import type { World } from '#lib/fn/world.ts';
import { isFresh, type Lifetime, lifetimeOf } from './client.ts';
import { issueClient } from './issue.ts';
import type { Pair } from './pem.ts';

const ADMIN = { name: 'talos-admin', group: 'os:admin' } as const;

/** Without endpoints: the caller chooses the machine. */
export async function newTalosconfig(world: World, cluster: string, authority: Pair): Promise<string> {
  const client = await issueClient(world, authority, ADMIN, 'Ed25519');
  const context = { endpoints: [], ca: base64(authority.cert), crt: base64(client.cert), key: base64(client.key) };
  return yamlText({ context: cluster, contexts: { [cluster]: context } });
}

/** Whether a talosconfig is still usable: same authority, its own key, more than half of its lifetime left. */
export function isGoodTalosconfig(text: string, now: Date, cluster: string, authority: Pair): boolean {
  return isFresh(lifetimeIn(text, cluster, authority.cert), now);
}

const lifetimeIn = rememberedByHash((text: string, cluster: string, authority: string): Lifetime | undefined => {
  try {
    const config: unknown = parse(text, { logLevel: 'error' });
    const part = (key: string): string => text64(stringAt(config, 'contexts', cluster, key) ?? '');
    if (part('ca') !== authority) return undefined;
    return lifetimeOf(part('crt'), part('key'), authority);
  } catch {
    return undefined; // not YAML, not a certificate, or not a key
  }
}, 500);

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function text64(text: string): string {
  return Buffer.from(text, 'base64').toString();
}
