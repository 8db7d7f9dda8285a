/** What k3s or RKE2 on a machine has to do: from its config.yaml, its certificates, and the service that is started. */
import { X509Certificate } from 'node:crypto';
import { parse } from 'yaml';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import type { Join, JoinPlan, Start, Tool } from './plan.ts';

const CONFIG = /^\/etc\/rancher\/(k3s|rke2)\/config\.yaml$/;
const API_PORT = 6443;
const TOKEN = /^(?:K10([0-9a-f]{64})::)?(?:(server|node):)?([^:]+)$/;

export const rancher: Tool = {
  recognises: ({ files }) => files.some(({ path }) => CONFIG.test(path)),
  plan: (boot) => {
    const config = configOf(boot);
    return stringAt(config, 'server') === undefined ? startOf(config, boot) : joinOf(config, boot);
  },
};

function configOf({ files }: FirstBoot): Json {
  const text = files.find(({ path }) => CONFIG.test(path))?.content ?? '';
  const parsed: unknown = parse(text, { version: '1.1' });
  if (!isJsonObject(parsed)) throw new BootFailure('config.yaml contains no settings');
  return parsed;
}

function startOf(config: Json, boot: FirstBoot): Start {
  const { name, agent } = serviceOf(boot);
  if (agent) throw new BootFailure(`${name} agent: --server is required`);
  if (name === 'k3s' && at(config, 'cluster-init') !== true)
    throw new BootFailure('k3s server: without cluster-init no other server can join');
  const [host] = listAt(config, 'tls-san');
  if (host === undefined) throw new BootFailure(`${name} server: tls-san names no endpoint`);
  // A short token: the server adds its own hash. A full token must have the hash of the server's authority.
  const { hash, password } = tokenOf(config, `${name} server`);
  const ca = authorityIn(boot, name, 'server-ca.crt');
  authorityIn(boot, name, 'client-ca.crt');
  if (hash !== undefined && hash !== hashOf(ca)) throw new BootFailure(`${name} server: token CA hash does not match`);
  const agentToken = stringAt(config, 'agent-token');
  return {
    ...registration(config, boot),
    tool: `${name} server`,
    action: 'init',
    endpoint: `${host}:${API_PORT}`,
    ca,
    tokens: [`server:${password}`, ...(agentToken === undefined ? [] : [`node:${agentToken}`])],
  };
}

function joinOf(config: Json, boot: FirstBoot): Join {
  const { name, agent } = serviceOf(boot);
  const tool = `${name} ${agent ? 'agent' : 'server'}`;
  const server = new URL(stringAt(config, 'server') ?? '');
  const { hash, user = agent ? 'node' : 'server', password } = tokenOf(config, tool);
  if (!agent && user !== 'server') throw new BootFailure(`${tool}: an agent's token makes no server`);
  return {
    ...registration(config, boot),
    tool,
    action: 'join',
    endpoint: `${server.hostname}:${API_PORT}`,
    by: `${server.hostname}:${server.port}`,
    controlPlane: !agent,
    token: `${user}:${password}`,
    // Without a hash it trusts any server.
    trusts: (ca) => hash === undefined || hash === hashOf(ca),
  };
}

/** Which service of which program the machine starts, read from the script. */
function serviceOf(boot: FirstBoot): { readonly name: string; readonly agent: boolean } {
  const started = /systemctl start (k3s|rke2)(-agent|-server)?\.service/.exec(scriptsOf(boot));
  if (started === null) throw new BootFailure('neither k3s nor rke2 is started');
  return { name: started[1] ?? '', agent: started[2] === '-agent' };
}

function scriptsOf({ files, text }: FirstBoot): string {
  return [...files.map(({ content }) => content), text].join('\n');
}

interface Token {
  readonly hash: string | undefined;
  readonly user: string | undefined;
  readonly password: string;
}

function tokenOf(config: Json, tool: string): Token {
  const [whole, hash, user, password = ''] = TOKEN.exec(stringAt(config, 'token') ?? '') ?? [];
  if (whole === undefined) throw new BootFailure(`${tool}: invalid token format`);
  return { hash, user, password };
}

/** For a single certificate, the text as it is served. */
function hashOf(ca: string): string {
  return sha256(ca);
}

function authorityIn({ files }: FirstBoot, name: string, file: string): string {
  const path = `/var/lib/rancher/${name}/server/tls/${file}`;
  const content = files.find((one) => one.path === path)?.content;
  if (content === undefined) throw new BootFailure(`${name} server: ${path} is not among the files`);
  try {
    if (new X509Certificate(content).ca) return content;
  } catch {
    // not a certificate
  }
  throw new BootFailure(`${name} server: ${path} is not an authority`);
}

function registration(config: Json, boot: FirstBoot): Pick<JoinPlan, 'nodeName' | 'labels' | 'taints' | 'version'> {
  const labels = listAt(config, 'node-label').map((label) => label.split('=', 2));
  return {
    nodeName: stringAt(config, 'node-name'),
    labels: Object.fromEntries(labels.map(([key = '', value = '']) => [key, value])),
    taints: listAt(config, 'node-taint').map(taintOf),
    version: /\bv1\.[0-9]+\.[0-9]+[-.0-9A-Za-z]*\+(k3s|rke2r)[0-9]+\b/.exec(scriptsOf(boot))?.[0],
  };
}

function taintOf(text: string): Json {
  const [, key = '', value = '', effect = ''] = /^([^=:]+)(?:=([^:]*))?:(.+)$/.exec(text) ?? [];
  return { key, effect, ...(value === '' ? {} : { value }) };
}

function listAt(config: Json, key: string): readonly string[] {
  const found = at(config, key);
  return Array.isArray(found) ? found.map(String) : [];
}
