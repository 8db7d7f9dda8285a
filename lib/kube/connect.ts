/**
 * A reader of the cluster that a kubeconfig names. Importing this costs a quarter of a second: do it when it is needed.
 */
import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { KubeReader } from './reader.ts';

export interface Connection {
  /** File; where kubectl looks by default: $KUBECONFIG, then ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** Name of a context; the current one by default. */
  readonly context?: string | undefined;
}

/** Throws UnknownSubject for a file or context that is not there, Unavailable for credentials that cannot be had. */
export async function connect({ kubeconfig, context }: Connection): Promise<KubeReader> {
  const config = load(kubeconfig);
  const names = config.getContexts().map(({ name }) => name);
  // The client has no context by default, or one that it did not find.
  const wanted = context ?? config.getCurrentContext() ?? '';
  if (!names.includes(wanted)) {
    const what = wanted === '' ? 'a kubeconfig without a current context' : `context "${wanted}"`;
    const cause = names.length === 0 ? 'the kubeconfig has no context' : `accepted: ${oneOf(wanted, names)}`;
    throw new SlipwayError('UnknownSubject', `cannot use ${what}: ${cause}`);
  }
  config.setCurrentContext(wanted);
  const cluster = config.getCurrentCluster();
  if (cluster === null)
    throw new SlipwayError('UnknownSubject', `cannot use context "${wanted}": its cluster is not in the kubeconfig`);
  const { agent, ...credentials } = await credentialsOf(config, wanted);
  // Its agent is for a proxy, if there is one; without, connections of our own stay open.
  const proxy = cluster.proxyUrl !== undefined && agent instanceof Agent ? { agent } : {};
  return new KubeReader({ server: cluster.server, credentials, ...proxy });
}

function load(kubeconfig: string | undefined): KubeConfig {
  const files = kubeconfig === undefined ? defaultFiles() : [kubeconfig];
  const [first, ...others] = files.map((file) => loadOne(file));
  if (first === undefined) throw new SlipwayError('UnknownSubject', noKubeconfig());
  // As kubectl does: what an earlier file has wins.
  for (const other of others)
    try {
      first.mergeConfig(other, first.getCurrentContext() !== undefined);
    } catch (cause) {
      const why = `they name one thing twice: ${messageOf(cause)}`;
      throw new SlipwayError('UnknownSubject', `cannot read kubeconfigs "${files.join('", "')}": ${why}`, { cause });
    }
  return first;
}

function loadOne(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
    return config;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const why = WORDS[code] ?? `it holds no kubeconfig: ${messageOf(cause)}`;
    throw new SlipwayError('UnknownSubject', `cannot read kubeconfig "${file}": ${why}`, { cause });
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
};

/** Where kubectl looks; a file that is not there is left out. */
function defaultFiles(): readonly string[] {
  return named().filter((file) => existsSync(file));
}

function named(): readonly string[] {
  const variable = process.env['KUBECONFIG'] ?? '';
  return variable === ''
    ? [join(homedir(), '.kube', 'config')]
    : variable.split(delimiter).filter((file) => file !== '');
}

function noKubeconfig(): string {
  const variable = process.env['KUBECONFIG'] ?? '';
  const where =
    variable === ''
      ? `$KUBECONFIG is not set, and there is no file "${named().join()}"`
      : `$KUBECONFIG is "${variable}", and there is no such file`;
  return `cannot find a kubeconfig: ${where}; accepted: --kubeconfig FILE`;
}

/** Certificates, tokens, and what a credential plugin gives. */
async function credentialsOf(config: KubeConfig, context: string): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
    return options;
  } catch (cause) {
    const why = messageOf(cause);
    throw new SlipwayError('Unavailable', `cannot get credentials for context "${context}": ${why}`, { cause });
  }
}
