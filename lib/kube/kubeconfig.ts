/**
 * A kubeconfig that came from elsewhere, such as a Secret of a workload cluster: only data in it counts. It starts no
 * program and names no file, and leads to no address that belongs to the machine of the reader.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { RequestOptions } from 'node:https';
import { parse } from 'yaml';
import type { Endpoint } from './endpoint.ts';
import { type Cluster, Kubeconfig, type User } from './kubeconfig-schema.ts';
import { KubeconfigError, type KubeconfigFault } from './kubeconfig-error.ts';
import { isLocal } from '#lib/api/local-address.ts';
import { lookupElsewhere } from './name-lookup.ts';

export interface KubeconfigRules {
  /** True: loopback, link-local and unspecified addresses are allowed. @default false */
  readonly local?: boolean;
  /** URL of the API that the reader itself belongs to, which is no workload cluster. */
  readonly own?: string;
}

const ACCEPTED_SERVER = 'an address of the workload cluster';
const DATA = 'a token, or client-certificate-data and client-key-data';

/**
 * Where its current context leads, or its only cluster.
 * @param owner  for messages: `Secret "team-a/prod-kubeconfig"`
 * Throws KubeconfigError. No message repeats what it holds, but for the address of the server.
 */
export function endpointOf(text: string, owner: string, rules: KubeconfigRules = {}): Endpoint {
  const { local = false, own } = rules;
  const config = Kubeconfig.safeParse(documentOf(text));
  if (!config.success) {
    const [issue] = config.error.issues;
    const path = issue === undefined || issue.path.length === 0 ? '' : `: ${issue.path.join('.')}`;
    throw new KubeconfigError('NotAKubeconfig', owner, `it holds no kubeconfig${path}`);
  }
  const { cluster, user } = chosen(config.data, owner);
  refuseUser(user, owner);
  refuseCluster(cluster, owner);
  const { hostname } = serverOf(cluster.server, owner, rules);
  checkCertificates(cluster, user, owner);
  const credentials = credentialsOf(cluster, user, bare(hostname));
  const ownHost = own === undefined ? undefined : bare(new URL(own).hostname);
  // The name is looked up for every connection: it may lead elsewhere later.
  return {
    server: cluster.server.replace(/\/$/, ''),
    credentials: local ? credentials : { ...credentials, lookup: lookupElsewhere(ownHost) },
  };
}

function documentOf(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch {
    return undefined;
  }
}

interface Chosen {
  readonly cluster: Cluster;
  readonly user: User;
}

function chosen(config: Kubeconfig, owner: string): Chosen {
  const current = config['current-context'];
  const context = config.contexts?.find(({ name }) => name === current)?.context;
  const only = config.clusters.length === 1 ? config.clusters[0] : undefined;
  const named = context === undefined ? only : config.clusters.find(({ name }) => name === context.cluster);
  if (named === undefined)
    throw new KubeconfigError('NotAKubeconfig', owner, 'its current context names no cluster of it');
  const users = config.users ?? [];
  const user = context === undefined ? users[0] : users.find(({ name }) => name === context.user);
  return { cluster: named.cluster, user: user?.user ?? {} };
}

function refuseUser(user: User, owner: string): void {
  const refuse = (fault: KubeconfigFault, what: string): KubeconfigError =>
    new KubeconfigError(fault, owner, `its user has ${what}`, DATA);
  for (const field of ['exec', 'auth-provider'] as const)
    if (user[field] === true) throw refuse('CredentialPlugin', `"${field}", which starts a program`);
  for (const field of ['tokenFile', 'client-certificate', 'client-key'] as const)
    if (user[field] === true) throw refuse('NamesAFile', `"${field}", which names a file`);
  if (user.username === true || user.password === true) throw refuse('Password', 'a password');
  for (const field of ['as', 'as-uid', 'as-groups', 'as-user-extra'] as const)
    if (user[field] === true) throw refuse('Impersonation', `"${field}", which makes it act as somebody else`);
  const hasCertificate = user['client-certificate-data'] !== undefined && user['client-key-data'] !== undefined;
  if (user.token === undefined && !hasCertificate) throw refuse('NoCredentials', 'no credentials');
}

function refuseCluster(cluster: Cluster, owner: string): void {
  const refuse = (fault: KubeconfigFault, field: string, why: string, accepted: string): KubeconfigError =>
    new KubeconfigError(fault, owner, `its cluster has "${field}"${why}`, accepted);
  if (cluster['certificate-authority'] === true)
    throw refuse('NamesAFile', 'certificate-authority', ', which names a file', 'certificate-authority-data');
  if (cluster['insecure-skip-tls-verify'] === true)
    throw refuse('NotVerified', 'insecure-skip-tls-verify', '', 'certificate-authority-data');
  if (cluster['proxy-url'] === true) throw refuse('Proxy', 'proxy-url', '', 'a server without a proxy');
}

function serverOf(server: string, owner: string, { local = false, own }: KubeconfigRules): URL {
  const url = URL.parse(server);
  if (url === null) throw new KubeconfigError('NotAKubeconfig', owner, 'its server is no URL', 'https://HOST:PORT');
  const isMore = url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '';
  if (isMore)
    throw new KubeconfigError(
      'NotHttps',
      owner,
      'its server has more than a host, a port and a path',
      'https://HOST:PORT',
    );
  if (url.protocol !== 'https:')
    throw new KubeconfigError('NotHttps', owner, `its server is "${url.protocol}//${url.host}"`, 'https://HOST:PORT');
  if (!local && isLocal(bare(url.hostname)))
    throw new KubeconfigError(
      'LocalAddress',
      owner,
      `its server "${url.host}" is an address of the host that reads it`,
      ACCEPTED_SERVER,
    );
  if (own !== undefined && url.host === new URL(own).host)
    throw new KubeconfigError(
      'OwnCluster',
      owner,
      `its server "${url.host}" is the Kubernetes API of the management cluster`,
      ACCEPTED_SERVER,
    );
  return url;
}

/** Now, and not as a failed connection later, whose error would name none of the fields. */
function checkCertificates(cluster: Cluster, user: User, owner: string): void {
  const check = <Value>(field: string, what: string, read: () => Value): Value => {
    try {
      return read();
    } catch {
      throw new KubeconfigError('NotACertificate', owner, `its "${field}" is no ${what}`);
    }
  };
  const ca = cluster['certificate-authority-data'];
  if (ca !== undefined) check('certificate-authority-data', 'certificate', () => new X509Certificate(ca));
  const { 'client-certificate-data': cert, 'client-key-data': key } = user;
  if (cert === undefined || key === undefined) return;
  const certificate = check('client-certificate-data', 'certificate', () => new X509Certificate(cert));
  const privateKey = check('client-key-data', 'private key', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new KubeconfigError('NotACertificate', owner, 'its "client-key-data" belongs to another certificate');
}

function credentialsOf(cluster: Cluster, user: User, host: string): RequestOptions {
  const name = cluster['tls-server-name'] ?? (isIP(host) === 0 ? host : undefined);
  const { 'client-certificate-data': cert, 'client-key-data': key, token } = user;
  return {
    minVersion: 'TLSv1.2',
    ...(cluster['certificate-authority-data'] === undefined ? {} : { ca: cluster['certificate-authority-data'] }),
    ...(name === undefined ? {} : { servername: name }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  };
}

/** An address of IPv6 without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
