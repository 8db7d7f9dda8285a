/** Every write to an XR and to its composed objects, from a watch for each kind. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { writtenKinds } from '#simulator/cloud-stand-in.ts';
import { type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Api, WatchEvent } from '../lab/api.ts';
import { writerOf } from './writer.ts';

export interface Write {
  readonly kind: string;
  readonly name: string;
  /** The field manager. */
  readonly writer: string;
  readonly isCreation: boolean;
  readonly isGoing: boolean;
  readonly isXr: boolean;
  /** `Kind/name` of the XR that composes the object. */
  readonly composedBy: string | undefined;
}

const XRS = ['Cluster', 'NodePool', 'Machine'].map((kind) => ({ apiVersion: 'slipway.dev/v1alpha1', kind }));
const USAGE = { apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage' } as const;

export class WriteRecorder {
  readonly #begun = Date.now();
  readonly #stopped = new AbortController();
  readonly #shown = new Map<string, KubeObject>();
  readonly #writes: Write[] = [];

  constructor(api: Api, namespace: string) {
    for (const kind of [...XRS, USAGE, ...writtenKinds(SIMULATED_CLOUDS)])
      api.watch({ ...kind, namespace }, (event) => this.#see(event), this.#stopped.signal);
  }

  stop(): readonly Write[] {
    this.#stopped.abort();
    return this.#writes;
  }

  #see({ type, object }: WatchEvent): void {
    const uid = object.metadata?.uid ?? '';
    if (type === 'gone') return void this.#shown.delete(uid);
    const before = this.#shown.get(uid);
    // A watch that reconnects sends objects again.
    if (before?.metadata?.resourceVersion === object.metadata?.resourceVersion) return;
    this.#shown.set(uid, object);
    if (before === undefined && this.#wasThere(object)) return;
    this.#writes.push({
      kind: object.kind,
      name: object.metadata?.name ?? '',
      writer: writerOf(before, object),
      isCreation: before === undefined,
      isGoing: object.metadata?.deletionTimestamp !== undefined,
      isXr: XRS.some(({ kind }) => kind === object.kind),
      composedBy: composerOf(object),
    });
  }

  /** Before counting began. Creation times have whole seconds. */
  #wasThere({ metadata }: KubeObject): boolean {
    return Date.parse(metadata?.creationTimestamp ?? '') + 1000 <= this.#begun;
  }
}

function composerOf(object: KubeObject): string | undefined {
  const owners = at(object.metadata, 'ownerReferences');
  const controller = (Array.isArray(owners) ? owners : []).find(
    (owner) => isJsonObject(owner) && owner['controller'] === true,
  );
  return controller === undefined ? undefined : `${stringAt(controller, 'kind')}/${stringAt(controller, 'name')}`;
}
