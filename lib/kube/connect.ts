/**
 * A reader of the cluster that a kubeconfig names. Importing this costs a quarter of a second: do it when it is needed.
 */
import { Agent } from 'node:http';
import { contextOf } from './context.ts';
import { loadKubeconfig } from './kubeconfig-file.ts';
import { KubeReader } from './reader.ts';

export interface Connection {
  /** File; where kubectl looks by default: $KUBECONFIG, then ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** Name of a context; the current one by default. */
  readonly context?: string | undefined;
}

/** Throws UnknownSubject for a file or context that is not there, Unavailable for credentials that cannot be had. */
export async function connect({ kubeconfig, context }: Connection, now: Date = new Date()): Promise<KubeReader> {
  const { name, server, hasProxy, credentials } = await contextOf(loadKubeconfig(kubeconfig), context, now);
  const { agent, ...own } = credentials;
  // Its agent is for a proxy, if there is one; without, connections of our own stay open.
  const proxy = hasProxy && agent instanceof Agent ? { agent } : {};
  return new KubeReader({ server, context: name, credentials: own, ...proxy });
}
