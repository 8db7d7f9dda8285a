/**
 * A reader of the cluster that a kubeconfig names. Importing this costs a quarter of a second: do it when it is needed.
 */
import { Agent } from 'node:http';
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import { KubeReader } from './reader.ts';

export interface Connection {
  /** File; where kubectl looks by default: $KUBECONFIG, then ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** Name of a context; the current one by default. */
  readonly context?: string | undefined;
}

/** The context that the client makes up, of http://localhost:8080, when it finds no kubeconfig. */
const NO_KUBECONFIG = 'loaded-context';

/** Throws UnknownSubject for a file or context that is not there, Unavailable for credentials that cannot be had. */
export async function connect({ kubeconfig, context }: Connection): Promise<KubeReader> {
  const config = load(kubeconfig);
  if (config.getCurrentContext() === NO_KUBECONFIG)
    throw new SlipwayError(
      'UnknownSubject',
      'cannot find a kubeconfig: $KUBECONFIG is not set and ~/.kube/config is not there; accepted: --kubeconfig FILE',
    );
  const names = config.getContexts().map(({ name }) => name);
  const wanted = context ?? config.getCurrentContext();
  if (!names.includes(wanted))
    throw new SlipwayError(
      'UnknownSubject',
      `cannot use context "${wanted}": accepted: ${names.length === 0 ? 'none, the kubeconfig has no context' : names.join(', ')}`,
    );
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
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
    return config;
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const why = missing ? 'no such file' : messageOf(cause);
    throw new SlipwayError('UnknownSubject', `cannot read kubeconfig "${kubeconfig ?? 'default'}": ${why}`, { cause });
  }
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
