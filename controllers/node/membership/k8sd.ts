/**
 * k8sd, the daemon of Canonical Kubernetes, on a control plane: behind a pod of DaemonSet `k8sd-proxy`, which hands
 * connections on to its host. All k8sd of a cluster serve with the same certificate, which the machine that started the
 * cluster put on that DaemonSet: only what holds its key gets the token.
 */
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { CERTIFICATE_ANNOTATION, PROXY } from '#lib/api/k8sd.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import { nameOf } from '#lib/node/node.ts';
import { DAEMON_SETS } from '../kinds.ts';
import { controlPlanes } from './addresses.ts';
import { withFirst } from './behind-pods.ts';
import type { OverPort } from './over-port.ts';

/** Seconds. To take out a member, k8sd talks to others. */
const WITHIN = { token: 30, remove: 90 } as const;
const NANOSECONDS = 1e9;

export class K8sd {
  readonly #port: OverPort;

  private constructor(port: OverPort) {
    this.#port = port;
  }

  /**
   * @param token  of the cluster, for the header
   * @param leaving  name of the Node that is not asked
   * @param use  gets the first one that answers, which is closed afterwards
   * Throws KubeRefusal and Unreachable, an Error that says what is missing, and what `use` throws.
   */
  static async first<T>(
    { client, token, leaving }: { readonly client: KubeClient; readonly token: string; readonly leaving?: string },
    use: (k8sd: K8sd) => Promise<T>,
  ): Promise<T> {
    const ca = await certificateOf(client);
    const portOf = (node: KubeObject) => ({
      port: PROXY.port,
      // The certificate itself is trusted, and nothing else; it names no machine.
      tls: { ca, servername: 'k8sd', checkServerIdentity: () => undefined },
      foreign: {
        name: `k8sd of Node "${nameOf(node)}"`,
        headers: { [AUTH_TOKEN.header]: token },
        refusalAt: 'error',
      },
    });
    const pods = { namespace: PROXY.namespace, labels: `app=${PROXY.name}`, shown: `of DaemonSet "${SHOWN}"` };
    return withFirst({ client, nodes: await controlPlanes(client), leaving, pods, portOf }, (port) =>
      use(new K8sd(port)),
    );
  }

  /**
   * A token by which the machine joins, and how long it is valid; the same one as before, as long as that is valid.
   * @param ttl  seconds
   */
  async joinToken(name: string, worker: boolean, ttl: number): Promise<string> {
    const body = { name, worker, ttl: ttl * NANOSECONDS };
    const answer = await this.#port.ask('/1.0/x/capi/generate-join-token', body, 'get a join token', WITHIN.token);
    const token = stringAt(answer, 'metadata', 'token') ?? '';
    if (token === '') throw new Error('cannot get a join token: the answer of k8sd has none');
    return token;
  }

  /** Takes a Node out of etcd and of the cluster of k8sd; one that is in neither is fine. */
  async remove(name: string): Promise<void> {
    const ask = (force: boolean) =>
      this.#port.ask('/1.0/x/capi/remove-node', { name, force, timeout: 0 }, `remove Node "${name}"`, WITHIN.remove);
    try {
      // Forced, k8sd reports success although etcd refused.
      await ask(false);
    } catch (thrown) {
      if (!(thrown instanceof KubeRefusal) || !thrown.text.includes(GONE_FROM_ETCD)) throw thrown;
      // An earlier attempt got as far as that, and the machine may not answer any more.
      await ask(true);
    }
  }
}

const SHOWN = `${PROXY.namespace}/${PROXY.name}`;
const GONE_FROM_ETCD = 'no etcd member found';

/** Throws an Error that says what is missing. */
async function certificateOf(client: KubeClient): Promise<string> {
  const set = await client.find(DAEMON_SETS, { namespace: PROXY.namespace, name: PROXY.name });
  if (set === undefined) throw new Error(`DaemonSet "${SHOWN}" not found`);
  const certificate = set.metadata?.annotations?.[CERTIFICATE_ANNOTATION] ?? '';
  if (!certificate.includes('BEGIN CERTIFICATE'))
    throw new Error(`DaemonSet "${SHOWN}" has no annotation ${CERTIFICATE_ANNOTATION} with the certificate of k8sd`);
  return certificate;
}
