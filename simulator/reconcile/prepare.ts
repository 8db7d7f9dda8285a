/** The first third of a reconcile: pause, deletion, finalizer, composition, name prefix. It calls no function. */
import { falseCondition, trueCondition } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Dice } from '../clock/dice.ts';
import type { Recorder } from '../facts/recorder.ts';
import { ApiError } from '../store/api-error.ts';
import {
  annotationsOf,
  isDeleting,
  labelsOf,
  metaOf,
  withFinalizer,
  withLabels,
  withoutFinalizer,
} from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { type Step, pipelineOf, selectComposition, selectRevision } from './composition.ts';
import { marked } from './conditions.ts';
import { compositionName, revisionName, withMachinery } from './machinery.ts';

const FINALIZER = 'composite.apiextensions.crossplane.io';
export const MANAGER = 'crossplane';

export interface Prepared {
  readonly xr: KubeObject;
  readonly steps: readonly Step[];
  /** Status as stored when the reconcile began: parts that are equal at the end are not written. */
  readonly statusBefore: KubeObject['status'];
}

/** done: nothing more to do now; retry: at once, with back-off; failed: the same, and the XR has the reason. */
export type Preparation = Prepared | { readonly end: 'done' | 'retry' | 'failed' };

export class Preparer {
  readonly #store: Store;
  readonly #dice: Dice;
  readonly #recorder: Recorder;
  readonly #stamp: () => string;

  constructor(store: Store, dice: Dice, recorder: Recorder, stamp: () => string) {
    this.#store = store;
    this.#dice = dice;
    this.#recorder = recorder;
    this.#stamp = stamp;
  }

  prepare(stored: KubeObject): Preparation {
    const stamp = this.#stamp();
    const xr = marked(stored, [trueCondition('Responsive', 'WatchCircuitClosed')], stamp, true);
    if (annotationsOf(xr)[CROSSPLANE.paused] === 'true') return this.#pause(xr, stamp);
    try {
      return isDeleting(xr) ? this.#finish(xr, stamp) : this.#select(xr, stored.status);
    } catch (thrown) {
      if (ApiError.is(thrown, 'Conflict')) return { end: 'retry' };
      throw thrown;
    }
  }

  #pause(xr: KubeObject, stamp: string): Preparation {
    this.#recorder.event(xr, 'Normal', 'ReconciliationPaused', 'Reconciliation is paused via the pause annotation');
    const message = 'Reconciliation (including deletion) is paused via the pause annotation';
    const paused = marked(xr, [falseCondition('Synced', 'ReconcilePaused', message)], stamp, true);
    this.#store.updateStatus(paused, MANAGER);
    return { end: 'done' };
  }

  /** Deleting an XR runs no pipeline: its composed resources are deleted by their owner references. */
  #finish(xr: KubeObject, stamp: string): Preparation {
    const left = this.#store.update(withoutFinalizer(xr, FINALIZER), MANAGER);
    const conditions = [falseCondition('Ready', 'Deleting'), trueCondition('Synced', 'ReconcileSuccess')];
    if (this.#store.withUid(metaOf(left).uid ?? '') !== undefined)
      this.#store.updateStatus(marked(left, conditions, stamp, true), MANAGER);
    return { end: 'done' };
  }

  #select(before: KubeObject, statusBefore: KubeObject['status']): Preparation {
    let xr = this.#updated(before, withFinalizer(before, FINALIZER));
    if (compositionName(xr) === undefined) {
      const name = selectComposition(this.#store, this.#dice, xr);
      if (name === undefined)
        return this.#fail(xr, 'SelectComposition', 'cannot select Composition: no compatible Compositions found');
      xr = this.#updated(xr, withMachinery(xr, { compositionRef: { name } }));
      this.#recorder.event(xr, 'Normal', 'SelectComposition', `Successfully selected composition: ${name}`);
    }
    const revision = selectRevision(this.#store, xr);
    const { name } = metaOf(revision ?? { apiVersion: '', kind: '' });
    if (revision === undefined || name === undefined) {
      const cause = revisionName(xr) ?? compositionName(xr) ?? '';
      return this.#fail(
        xr,
        'ComposeResources',
        `cannot fetch Composition: no compatible CompositionRevisions found for "${cause}"`,
      );
    }
    if (revisionName(xr) !== name) {
      xr = this.#updated(xr, withMachinery(xr, { compositionRevisionRef: { name } }));
      this.#recorder.event(xr, 'Normal', 'SelectComposition', `Selected composition revision: ${name}`);
    }
    if ((labelsOf(xr)[CROSSPLANE.composite] ?? '') === '')
      xr = this.#updated(xr, withLabels(xr, { [CROSSPLANE.composite]: metaOf(xr).name ?? '' }));
    return { xr, steps: pipelineOf(revision), statusBefore };
  }

  #updated(before: KubeObject, after: KubeObject): KubeObject {
    return before === after ? before : this.#store.update(after, MANAGER);
  }

  #fail(xr: KubeObject, reason: string, message: string): Preparation {
    this.#recorder.event(xr, 'Warning', reason, message);
    this.#store.updateStatus(
      marked(xr, [falseCondition('Synced', 'ReconcileError', message)], this.#stamp(), true),
      MANAGER,
    );
    return { end: 'failed' };
  }
}
