/** DaemonSets of a workload cluster: reported as running on all its Nodes; one of them may be the pod network. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Api, ApiRefusal, refOf } from '../lab/api.ts';

export const DAEMON_SETS = { apiVersion: 'apps/v1', kind: 'DaemonSet' } as const;
/** Where kubelets look for the network of pods. */
const NETWORK = '/etc/cni/net.d';

interface Known {
  readonly object: KubeObject;
  reported: string;
}

export class DaemonSets {
  readonly #api: Api;
  readonly #known = new Map<string, Known>();

  constructor(api: Api) {
    this.#api = api;
  }

  seen(object: KubeObject): void {
    const { uid = '' } = object.metadata ?? {};
    this.#known.set(uid, { object, reported: this.#known.get(uid)?.reported ?? '' });
  }

  gone({ metadata }: KubeObject): void {
    this.#known.delete(metadata?.uid ?? '');
  }

  get haveNetwork(): boolean {
    return this.#known.values().some(({ object }) => writesNetwork(object));
  }

  /** As their controller does, which does not run here. */
  async report(nodes: number): Promise<void> {
    for (const known of this.#known.values()) {
      const observedGeneration = known.object.metadata?.generation ?? 0;
      const counts = ['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady', 'numberAvailable'];
      const status = {
        observedGeneration,
        numberMisscheduled: 0,
        updatedNumberScheduled: nodes,
        ...Object.fromEntries(counts.map((count) => [count, nodes])),
      };
      const report = JSON.stringify(status);
      if (known.reported === report) continue;
      await this.#patch(known.object, status);
      known.reported = report;
    }
  }

  async #patch(object: KubeObject, status: object): Promise<void> {
    try {
      await this.#api.patchStatus(refOf(object), status, 'daemon-set-controller');
    } catch (thrown) {
      if (!(thrown instanceof ApiRefusal) || thrown.status !== 404) throw thrown;
    }
  }
}

function writesNetwork({ spec, metadata }: KubeObject): boolean {
  const volumes = at(spec, 'template', 'spec', 'volumes');
  const list: readonly unknown[] = Array.isArray(volumes) ? volumes : [];
  const isGoing = metadata?.deletionTimestamp !== undefined;
  return !isGoing && list.some((volume) => stringAt(volume, 'hostPath', 'path') === NETWORK);
}
