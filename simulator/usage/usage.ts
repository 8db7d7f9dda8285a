/**
 * Crossplane's Usage: an object in use cannot be deleted, and a refused deletion is replayed once its user is gone.
 * Follows the webhook and the controller of Crossplane v2.4.2; selectors are not resolved.
 */
import { trueCondition } from '#lib/api/conditions.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { Recorder } from '../facts/recorder.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { ApiError } from '../store/api-error.ts';
import {
  annotationsOf,
  isDeleting,
  labelsOf,
  metaOf,
  ownersOf,
  uidOf,
  withAnnotations,
  withFinalizer,
  withLabels,
  withMeta,
  withoutFinalizer,
} from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import { PROPAGATIONS, type Propagation } from '../store/propagation.ts';
import type { Store } from '../store/store.ts';
import { CONDITIONS, METADATA, type Schema } from '../store/schema/node.ts';
import { marked } from '../reconcile/conditions.ts';

const USAGE = { apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage' } as const;

const FINALIZER = 'usage.apiextensions.crossplane.io';
const IN_USE = 'crossplane.io/in-use';
const DETAILS = 'crossplane.io/usage-details';
const ATTEMPT = 'usage.crossplane.io/deletion-attempt-with-policy';
const MANAGER = 'crossplane';
/** Seconds. */
const POLL = 60;
const POLL_WAITING = 30;
const REPLAY_AFTER = 2;
const RETRY = { first: 1, longest: 60 } as const;

export class Usages {
  readonly #store: Store;
  readonly #clock: Scheduler;
  readonly #recorder: Recorder;
  readonly #due = new Map<string, number>();
  readonly #failures = new Map<string, number>();

  constructor(store: Store, clock: Scheduler, recorder: Recorder) {
    this.#store = store;
    this.#clock = clock;
    this.#recorder = recorder;
    store.kinds.define({ ...USAGE, namespaced: true, hasStatus: true, composite: false, schema: SCHEMA });
    store.onDelete((object, propagation) => this.#guard(object, propagation));
    store.onChange(({ type, object }) => {
      if (object.kind === USAGE.kind && object.apiVersion === USAGE.apiVersion && type !== 'deleted')
        this.#queue(refOf(object), 0);
    });
  }

  /** The webhook: refuses the deletion of an object in use and records the attempt. */
  #guard(object: KubeObject, propagation: Propagation): void {
    if (labelsOf(object)[IN_USE] !== 'true') return; // the webhook is only called for these
    const usages = this.#usagesOf(refOf(object));
    const [first] = usages;
    if (first === undefined) return;
    if (annotationsOf(object)[ATTEMPT] !== propagation)
      this.#store.update(withAnnotations(object, { [ATTEMPT]: propagation }), MANAGER);
    throw new ApiError(
      'InUse',
      `This resource is in-use by ${usages.length} usage(s), including the *v1beta1.Usage "${metaOf(first).name ?? ''}" (in namespace "${metaOf(first).namespace ?? ''}")${whyOf(first)}.`,
    );
  }

  #usagesOf(ref: ObjectRef): readonly KubeObject[] {
    return this.#store.list(USAGE).filter((usage) => keyOf(ofOf(usage)) === keyOf(ref));
  }

  #queue(ref: ObjectRef, seconds: number): void {
    const key = keyOf(ref);
    const due = this.#clock.seconds + seconds;
    const known = this.#due.get(key);
    if (known !== undefined && known <= due) return;
    this.#due.set(key, due);
    this.#clock.after(seconds, () => {
      if (this.#due.get(key) !== due) return;
      this.#due.delete(key);
      this.#attempt(ref);
    });
  }

  #attempt(ref: ObjectRef): void {
    const usage = this.#store.find(ref);
    if (usage === undefined) return;
    try {
      const again = isDeleting(usage) ? this.#release(usage) : this.#protect(usage);
      this.#failures.delete(keyOf(ref));
      if (again !== undefined) this.#queue(ref, again);
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown;
      this.#recorder.event(usage, 'Warning', 'GetUsedResource', `cannot get used resource: ${thrown.message}`);
      const failures = this.#failures.get(keyOf(ref)) ?? 0;
      this.#failures.set(keyOf(ref), failures + 1);
      this.#queue(ref, Math.min(RETRY.longest, RETRY.first * 2 ** failures));
    }
  }

  #protect(before: KubeObject): number {
    const of = ofOf(before);
    const by = byOf(before);
    let usage = this.#store.update(withFinalizer(before, FINALIZER), MANAGER);
    const user = by === undefined ? 'undefined' : `${by.kind}/${by.name} uses ${of.kind}/${of.name}`;
    const details = stringAt(usage, 'spec', 'reason') ?? user;
    usage = this.#store.update(withAnnotations(usage, { [DETAILS]: details }), MANAGER);
    const used = this.#store.get(of);
    if (labelsOf(used)[IN_USE] !== 'true') this.#store.update(withLabels(used, { [IN_USE]: 'true' }), MANAGER);
    if (by !== undefined) {
      const using = this.#store.get(by);
      if (!ownersOf(usage).some(({ uid }) => uid === uidOf(using))) {
        const owner = { apiVersion: by.apiVersion, kind: by.kind, name: by.name, uid: uidOf(using) };
        usage = this.#store.update(withMeta(usage, { ownerReferences: [...ownersOf(usage), owner] }), MANAGER);
      }
    }
    const ready = marked(usage, [trueCondition('Ready', 'Available')], this.#clock.stamp, true);
    this.#store.updateStatus(ready, MANAGER);
    return POLL;
  }

  /** Deleted only after its user; then it releases the used object and replays the refused deletion. */
  #release(usage: KubeObject): number | undefined {
    const by = byOf(usage);
    const composed = labelsOf(usage)['crossplane.io/composite'] !== undefined;
    if (by !== undefined && composed && this.#store.find(by) !== undefined) {
      const message = `Waiting for the using resource (which is a "${by.kind}" named "${by.name}") to be deleted.`;
      this.#recorder.event(usage, 'Normal', 'WaitingUsingDeleted', message);
      return POLL_WAITING;
    }
    const of = ofOf(usage);
    const used = this.#store.find(of);
    if (used !== undefined && this.#usagesOf(of).length < 2) {
      const { [IN_USE]: _gone, ...labels } = labelsOf(used);
      this.#store.update(withMeta(used, { labels }), MANAGER);
    }
    const attempt = used === undefined ? undefined : annotationsOf(used)[ATTEMPT];
    if (at(usage, 'spec', 'replayDeletion') === true && used !== undefined && attempt !== undefined)
      this.#clock.after(REPLAY_AFTER, () => this.#replay(of, uidOf(used), attempt));
    this.#store.update(withoutFinalizer(usage, FINALIZER), MANAGER);
    return undefined;
  }

  #replay(of: ObjectRef, uid: string, attempt: string): void {
    try {
      this.#store.delete(of, { uid, propagation: PROPAGATIONS.find((one) => one === attempt) ?? 'Background' });
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown; // already gone, or in use by another Usage
    }
  }
}

/** The webhook reports the reason only if no user is named. */
function whyOf(usage: KubeObject): string {
  const by = byOf(usage);
  if (by !== undefined) return ` by resource ${by.kind}/${by.name}`;
  const reason = stringAt(usage, 'spec', 'reason');
  return reason === undefined ? '' : ` with reason: ${JSON.stringify(reason)}`;
}

function ofOf(usage: KubeObject): ObjectRef {
  return refAt(usage, 'of') ?? { apiVersion: '', kind: '', name: '' };
}

function byOf(usage: KubeObject): ObjectRef | undefined {
  return refAt(usage, 'by');
}

function refAt(usage: KubeObject, side: 'of' | 'by'): ObjectRef | undefined {
  const name = stringAt(usage, 'spec', side, 'resourceRef', 'name');
  if (name === undefined) return undefined;
  const namespace = stringAt(usage, 'spec', side, 'resourceRef', 'namespace') ?? metaOf(usage).namespace;
  return {
    apiVersion: stringAt(usage, 'spec', side, 'apiVersion') ?? '',
    kind: stringAt(usage, 'spec', side, 'kind') ?? '',
    ...(namespace === undefined ? {} : { namespace }),
    name,
  };
}

const text: Schema = { type: 'string' };
const party = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: ['apiVersion', 'kind', 'resourceRef'],
  properties: {
    apiVersion: text,
    kind: text,
    resourceRef: { type: 'object', required: ['name'], properties: { name: text, ...members } },
  },
});

/** The schema of the CRD, as far as it is needed here. */
const SCHEMA: Schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: text,
    kind: text,
    metadata: METADATA,
    spec: {
      type: 'object',
      required: ['of'],
      properties: { of: party({ namespace: text }), by: party({}), reason: text, replayDeletion: { type: 'boolean' } },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { conditions: CONDITIONS } },
  },
};
