/** The requests of the kubelets of one workload cluster for certificates to serve with, kept up to date. */
import { X509Certificate } from 'node:crypto';
import { stampOf } from '#lib/api/fields/text.ts';
import { type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Random } from '#lib/kube/backoff.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { Informer } from '#lib/kube/informer.ts';
import { pause, type Timing } from '#lib/kube/timing.ts';
import { kubeletName, SERVING_SIGNER } from '#lib/node/serving.ts';
import type { Certificates } from '#lib/node/situation.ts';
import { slimRequest } from '../slim.ts';
import { isPending, REQUESTS, servingRequest } from './request.ts';

export interface ServingParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
  /** Name of the Node whose requests changed. */
  readonly onRequest: (node: string) => void;
}

/** Seconds to wait for the first list. */
const FIRST = 10;
/** Requests of a kubelet that are read. */
const MOST = 32;
const PREFIX = kubeletName('');

export class ServingRequests {
  readonly #timing: Timing;
  readonly #requests: Informer;
  readonly #tried = Promise.withResolvers<void>();

  constructor({ client, timing, random, onRequest }: ServingParts) {
    this.#timing = timing;
    this.#requests = new Informer({
      client,
      timing,
      random,
      resource: REQUESTS,
      selection: { fields: `spec.signerName=${SERVING_SIGNER}` },
      slim: slimRequest,
      index: usernameOf,
      matters: (before, after) => !sameJson(before.status ?? {}, after.status ?? {}),
      onChange: (before, after) => {
        const request = after ?? before;
        const username = (request && usernameOf(request)) ?? '';
        if (username.startsWith(PREFIX)) onRequest(username.slice(PREFIX.length));
      },
      // Without the right to read them, nothing is approved; everything else goes on.
      onError: () => this.#tried.resolve(),
    });
    this.#requests.start();
  }

  /** Of the kubelet of a Node. Waits for the first list, but not for long. */
  async of(node: string): Promise<Certificates> {
    if (!this.#requests.isSynced)
      await Promise.race([this.#requests.synced, this.#tried.promise, pause(this.#timing, FIRST)]);
    // A kubelet may send thousands of them.
    const own = this.#requests.byIndex(kubeletName(node)).toSorted(byAge).slice(0, MOST);
    const ends = own.map(endOf).filter((end) => end !== undefined);
    const kubeletServing = ends.toSorted().at(-1);
    return {
      requests: own.filter(isPending).map(servingRequest),
      ...(kubeletServing === undefined ? {} : { kubeletServing }),
    };
  }

  async stop(): Promise<void> {
    await this.#requests.stop();
  }
}

/** The newest ones first. */
function byAge(a: KubeObject, b: KubeObject): number {
  const [one, other] = [a, b].map(({ metadata }) => metadata?.creationTimestamp ?? '');
  return (one ?? '') > (other ?? '') ? -1 : 1;
}

function usernameOf(request: KubeObject): string | undefined {
  return stringAt(request, 'spec', 'username');
}

/** When the issued certificate expires. */
function endOf(request: KubeObject): string | undefined {
  const certificate = stringAt(request, 'status', 'certificate');
  if (certificate === undefined) return undefined;
  try {
    return stampOf(new X509Certificate(Buffer.from(certificate, 'base64')).validToDate.getTime());
  } catch {
    return undefined;
  }
}
