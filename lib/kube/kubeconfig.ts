/**
 * A kubeconfig that came from elsewhere, such as a Secret of a workload cluster: only data in it counts. It starts no
 * program and names no file, and leads to no address that belongs to the machine of the reader.
 */
import { isIP } from 'node:net';
import type { RequestOptions } from 'node:https';
import ipaddr from 'ipaddr.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Endpoint } from './endpoint.ts';

export interface KubeconfigRules {
  /** True: loopback, link-local and unspecified addresses are allowed. @default false */
  readonly local?: boolean;
  /** True: http:// is allowed. @default false */
  readonly plain?: boolean;
}

const Base64 = z.string().transform((text) => Buffer.from(text, 'base64').toString('utf8'));

const Cluster = z.looseObject({
  server: z.string().min(1).max(2048),
  'certificate-authority-data': Base64.optional(),
  'certificate-authority': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().min(1).max(253).optional(),
  'proxy-url': z.string().optional(),
});

const User = z.looseObject({
  token: z.string().optional(),
  'client-certificate-data': Base64.optional(),
  'client-key-data': Base64.optional(),
  tokenFile: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-key': z.string().optional(),
  username: z.string().optional(),
  exec: z.unknown().optional(),
  'auth-provider': z.unknown().optional(),
});

const Kubeconfig = z.looseObject({
  'current-context': z.string().optional(),
  clusters: z
    .array(z.looseObject({ name: z.string(), cluster: Cluster }))
    .min(1)
    .max(100),
  users: z
    .array(z.looseObject({ name: z.string(), user: User.nullish() }))
    .max(100)
    .optional(),
  contexts: z
    .array(
      z.looseObject({ name: z.string(), context: z.looseObject({ cluster: z.string(), user: z.string().optional() }) }),
    )
    .max(100)
    .optional(),
});

/**
 * Where its current context leads, or its only cluster.
 * @param owner  for messages: `Secret "team-a/prod-kubeconfig"`
 * Throws SlipwayError: UnreadableSecret when it is no kubeconfig, Unsupported for what it must not ask for. No message
 * repeats what it holds, but for the address of the server.
 */
export function endpointOf(text: string, owner: string, rules: KubeconfigRules = {}): Endpoint {
  const config = Kubeconfig.safeParse(documentOf(text));
  if (!config.success) {
    const [issue] = config.error.issues;
    const path = issue === undefined || issue.path.length === 0 ? '' : `: ${issue.path.join('.')}`;
    throw new SlipwayError('UnreadableSecret', `cannot use ${owner}: it holds no kubeconfig${path}`);
  }
  const { cluster, user } = chosen(config.data, owner);
  refuse(cluster, user, owner);
  const { hostname } = serverOf(cluster.server, owner, rules);
  return { server: cluster.server.replace(/\/$/, ''), credentials: credentialsOf(cluster, user, hostname) };
}

function documentOf(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}

type Chosen = { readonly cluster: z.output<typeof Cluster>; readonly user: z.output<typeof User> };

function chosen(config: z.output<typeof Kubeconfig>, owner: string): Chosen {
  const current = config['current-context'];
  const context = config.contexts?.find(({ name }) => name === current)?.context;
  const only = config.clusters.length === 1 ? config.clusters[0] : undefined;
  const named = context === undefined ? only : config.clusters.find(({ name }) => name === context.cluster);
  if (named === undefined)
    throw new SlipwayError('UnreadableSecret', `cannot use ${owner}: its current context names no cluster of it`);
  const users = config.users ?? [];
  const user = context === undefined ? users[0] : users.find(({ name }) => name === context.user);
  return { cluster: named.cluster, user: user?.user ?? {} };
}

function refuse(cluster: Chosen['cluster'], user: Chosen['user'], owner: string): void {
  const unsupported = (what: string, accepted: string): SlipwayError =>
    new SlipwayError('Unsupported', `cannot use ${owner}: ${what}; accepted: ${accepted}`);
  const DATA = 'a token, or client-certificate-data and client-key-data';
  for (const field of ['exec', 'auth-provider'] as const)
    if (user[field] !== undefined) throw unsupported(`its user has "${field}", which starts a program`, DATA);
  for (const field of ['tokenFile', 'client-certificate', 'client-key'] as const)
    if (user[field] !== undefined) throw unsupported(`its user has "${field}", which names a file`, DATA);
  if (user.username !== undefined) throw unsupported('its user has a password', DATA);
  if (cluster['certificate-authority'] !== undefined)
    throw unsupported('its cluster has "certificate-authority", which names a file', 'certificate-authority-data');
  if (cluster['insecure-skip-tls-verify'] === true)
    throw unsupported('its cluster has "insecure-skip-tls-verify"', 'certificate-authority-data');
  if (cluster['proxy-url'] !== undefined) throw unsupported('its cluster has "proxy-url"', 'a server without a proxy');
}

function serverOf(server: string, owner: string, { local = false, plain = false }: KubeconfigRules): URL {
  let url: URL;
  try {
    url = new URL(server);
  } catch {
    throw new SlipwayError('UnreadableSecret', `cannot use ${owner}: its server is no URL`);
  }
  const isAccepted = url.protocol === 'https:' || (plain && url.protocol === 'http:');
  if (!isAccepted || url.username !== '' || url.password !== '' || url.search !== '')
    throw new SlipwayError(
      'Unsupported',
      `cannot use ${owner}: its server is "${url.host}"; accepted: https://HOST:PORT`,
    );
  if (!local && isLocal(url.hostname.replace(/^\[|\]$/g, '')))
    throw new SlipwayError(
      'Unsupported',
      `cannot use ${owner}: its server "${url.host}" is an address of this host; accepted: an address of the workload cluster`,
    );
  return url;
}

/** Loopback, link-local (the metadata service of a cloud) and unspecified addresses, also inside IPv6. */
export function isLocal(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (isIP(host) === 0) return false;
  return LOCAL.has(ipaddr.process(host).range());
}

const LOCAL = new Set(['loopback', 'linkLocal', 'unspecified', 'broadcast', 'multicast']);

function credentialsOf(cluster: Chosen['cluster'], user: Chosen['user'], hostname: string): RequestOptions {
  const name = cluster['tls-server-name'] ?? (isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : undefined);
  const { 'client-certificate-data': cert, 'client-key-data': key, token } = user;
  return {
    minVersion: 'TLSv1.2',
    ...(cluster['certificate-authority-data'] === undefined ? {} : { ca: cluster['certificate-authority-data'] }),
    ...(name === undefined ? {} : { servername: name }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  };
}
