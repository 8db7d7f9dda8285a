/** The context of a kubeconfig that is used: its cluster and what lets its user in. No message repeats a credential. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { SlipwayError } from '#lib/api/errors.ts';
import { own } from '#lib/api/json.ts';
import { oneOf } from '#lib/api/nearest.ts';

export interface Context {
  readonly name: string;
  readonly server: string;
  readonly hasProxy: boolean;
  /** With an agent of the library. */
  readonly credentials: RequestOptions;
}

/**
 * Throws UnknownSubject for a context, cluster or user that is not there, Unavailable for credentials that cannot be had.
 * @param context  the current one by default
 */
export async function contextOf(config: KubeConfig, context: string | undefined, now: Date): Promise<Context> {
  const names = config.getContexts().map(({ name }) => name);
  // The client has no context by default, or one that it did not find.
  const name = context ?? config.getCurrentContext() ?? '';
  if (!names.includes(name)) {
    const accepted = names.length === 0 ? 'the kubeconfig has no context' : `accepted: ${oneOf(name, names)}`;
    const what =
      name === ''
        ? `the kubeconfig: it names no current context, and no --context is given; ${accepted}`
        : `context "${name}": ${accepted}`;
    throw new SlipwayError('UnknownSubject', `cannot use ${what}`);
  }
  config.setCurrentContext(name);
  const refuse = (why: string): SlipwayError =>
    new SlipwayError('UnknownSubject', `cannot use context "${name}": ${why}`);
  // A context without a user, or with an empty one, goes without credentials.
  const { cluster: clusterName, user = '' } = config.getContextObject(name) ?? { cluster: '' };
  const cluster = config.getCurrentCluster();
  if (clusterName === '') throw refuse('it names no cluster');
  if (cluster === null) throw refuse(`its cluster "${clusterName}" is not in the kubeconfig`);
  if (config.getCurrentUser() === null && user !== '') throw refuse(`its user "${user}" is not in the kubeconfig`);
  const { protocol } = URL.parse(cluster.server) ?? { protocol: '' };
  if (!['http:', 'https:'].includes(protocol))
    throw refuse(`the server of its cluster "${clusterName}" is no address; accepted: https://HOST:PORT`);
  if (protocol === 'http:' && !cluster.skipTLSVerify)
    throw refuse(
      `the server of its cluster "${clusterName}" begins with http; accepted: https, or insecure-skip-tls-verify: true`,
    );
  const { proxyUrl = '' } = cluster;
  if (proxyUrl !== '' && !/^(https?|socks\w*):$/.test(URL.parse(proxyUrl)?.protocol ?? ''))
    throw refuse(`the proxy-url of its cluster "${clusterName}" is no address; accepted: http://HOST:PORT`);
  const credentials = await credentialsOf(config, name);
  const problem = problemOf(credentials, now);
  if (problem !== undefined) throw unusable(name, problem);
  return { name, server: cluster.server, hasProxy: proxyUrl !== '', credentials };
}

function unusable(context: string, why: string): SlipwayError {
  return new SlipwayError('Unavailable', `cannot use the credentials of context "${context}": ${why}`);
}

/** Certificates, tokens, and what a credential plugin gives. */
async function credentialsOf(config: KubeConfig, context: string): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
    return { ...options, headers: trimmed(options.headers) };
  } catch (thrown) {
    throw unusable(context, whyNone(thrown, commandOf(config)));
  }
}

/** A file of a token ends with a line break. */
function trimmed(headers: RequestOptions['headers'] = {}): OutgoingHttpHeaders {
  const { Authorization: token, ...others } = headers as OutgoingHttpHeaders;
  if (token === undefined) return others;
  return { ...others, Authorization: typeof token === 'string' ? token.trim() : token };
}

/** The program that gets credentials; undefined: there is none. */
function commandOf(config: KubeConfig): string | undefined {
  const { exec } = (config.getCurrentUser() ?? {}) as { readonly exec?: { readonly command?: unknown } };
  return typeof exec?.command === 'string' ? exec.command : undefined;
}

/** Whatever the program printed stays unsaid: it may be a credential. */
function whyNone(thrown: unknown, command: string | undefined): string {
  const { code, path, syscall = '' } = thrown as NodeJS.ErrnoException;
  if (syscall.startsWith('spawn')) return `there is no program "${command ?? path ?? ''}", which gets them`;
  if (path !== undefined) return `cannot read "${path}": ${own(FILE, code ?? '') ?? 'it cannot be read'}`;
  if (command === undefined) return 'they cannot be had';
  const isUnread = thrown instanceof SyntaxError || thrown instanceof TypeError;
  const how = isUnread ? 'printed no credentials' : 'failed';
  return `the program "${command}", which gets them, ${how}: run it to see why`;
}

const FILE: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
};

/** Now, and not as a failed connection later, whose error would name none of them. */
function problemOf({ ca, cert, key, headers }: RequestOptions, now: Date): string | undefined {
  const { Authorization: token } = (headers ?? {}) as { readonly Authorization?: unknown };
  if (typeof token === 'string' && /[^\t\u0020-\u007E\u0080-\u00FF]/u.test(token))
    return 'the token has characters that no token has, such as a line break';
  if (ca !== undefined && certificateOf(ca) === undefined) return 'certificate-authority is no certificate';
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) return 'client-certificate and client-key are needed together';
  const certificate = certificateOf(cert);
  if (certificate === undefined) return 'client-certificate is no certificate';
  const isKey = fits(certificate, key);
  if (isKey === undefined) return 'client-key is no private key';
  if (!isKey) return 'client-key belongs to another certificate';
  return certificate.validToDate < now
    ? `client-certificate has expired, on ${certificate.validToDate.toISOString().slice(0, 10)}`
    : undefined;
}

function certificateOf(value: RequestOptions['ca']): X509Certificate | undefined {
  try {
    return new X509Certificate(value as Buffer);
  } catch {
    return undefined;
  }
}

/** Undefined: it is no private key. */
function fits(certificate: X509Certificate, key: RequestOptions['key']): boolean | undefined {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key as Buffer));
  } catch {
    return undefined;
  }
}
