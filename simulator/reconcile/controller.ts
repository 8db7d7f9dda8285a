/**
 * The XR controller: a work queue fed by watches. Simultaneous triggers of one XR are one reconcile, failures back off,
 * the time-to-live of functions triggers an XR again. XRs that are due at the same instant are planned at once and
 * written one after the other, in the order of their keys, so that a run can be repeated.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { metaOf } from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import type { Change, Store } from '../store/store.ts';
import { REVISION, numberOf } from './composition.ts';
import type { Dependencies } from './dependencies.ts';
import { compositionName, isManual } from './machinery.ts';
import type { Prepared } from './prepare.ts';
import type { Next, Reconciler } from './reconciler.ts';

/**
 * Seconds between turns. A change during one is seen by the next, and XRs that are due in the same turn are planned
 * together.
 */
const TURN = 0.5;
/** Seconds between attempts after a failure: doubled each time, as in Crossplane's XR controllers. */
const BACK_OFF = { first: 1, longest: 30 } as const;
/** Crossplane varies a time-to-live by a tenth in both directions. */
const JITTER = 0.1;

export class Controller {
  readonly #store: Store;
  readonly #clock: Scheduler;
  readonly #dice: Dice;
  readonly #reconciler: Reconciler;
  readonly #dependencies: Dependencies;
  readonly #due = new Map<string, { readonly ref: ObjectRef; readonly at: number }>();
  readonly #failures = new Map<string, number>();
  readonly #turns = new Map<string, number>();
  #reconciles = 0;

  constructor(store: Store, clock: Scheduler, dice: Dice, reconciler: Reconciler, dependencies: Dependencies) {
    this.#store = store;
    this.#clock = clock;
    this.#dice = dice;
    this.#reconciler = reconciler;
    this.#dependencies = dependencies;
    store.onChange((change) => this.#notice(change));
  }

  get reconciles(): number {
    return this.#reconciles;
  }

  #notice({ type, before, object }: Change): void {
    if (this.#isComposite(object)) {
      if (type === 'deleted') this.#forget(refOf(object));
      else {
        this.#queue(refOf(object), TURN);
        if (before?.spec !== object.spec) this.#dependencies.written(object);
      }
    }
    for (const state of before === undefined ? [object] : [before, object])
      for (const xr of this.#dependencies.dependants(state)) this.#queue(xr, TURN);
    if (object.kind === REVISION.kind && object.apiVersion === REVISION.apiVersion) this.#noticeRevision(object);
  }

  /** A new revision triggers every XR that follows its Composition. */
  #noticeRevision(revision: KubeObject): void {
    const name = metaOf(revision).labels?.['crossplane.io/composition-name'];
    if (numberOf(revision) < 2) return;
    for (const { apiVersion, kind } of this.#store.kinds.composites)
      for (const xr of this.#store.list({ apiVersion, kind }))
        if (compositionName(xr) === name && !isManual(xr)) this.#queue(refOf(xr), TURN);
  }

  #isComposite({ apiVersion, kind }: KubeObject): boolean {
    return this.#store.kinds.find(apiVersion, kind)?.composite === true;
  }

  #forget(xr: ObjectRef): void {
    this.#due.delete(keyOf(xr));
    this.#failures.delete(keyOf(xr));
    this.#dependencies.forget(xr);
  }

  #queue(ref: ObjectRef, seconds: number): void {
    const key = keyOf(ref);
    const at = Math.ceil((this.#clock.seconds + seconds) / TURN) * TURN;
    const known = this.#due.get(key);
    if (known !== undefined && known.at <= at) return;
    this.#due.set(key, { ref, at });
    const waiting = this.#turns.get(String(at)) ?? 0;
    this.#turns.set(String(at), waiting + 1);
    if (waiting === 0) this.#clock.at(at, () => this.#turn(at));
  }

  /** Everything that is due now: prepared in order, planned together, written in order. */
  async #turn(at: number): Promise<void> {
    this.#turns.delete(String(at));
    const due = [...this.#due].filter(([, item]) => item.at <= at).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const prepared: { key: string; ref: ObjectRef; prepared: Prepared }[] = [];
    for (const [key, { ref }] of due) {
      this.#due.delete(key);
      const xr = this.#store.find(ref);
      if (xr === undefined) continue;
      this.#reconciles++;
      const first = this.#reconciler.prepare(xr);
      if (typeof first === 'object' && 'xr' in first) prepared.push({ key, ref, prepared: first });
      else this.#follow(key, ref, first);
    }
    const planned = await Promise.all(prepared.map((item) => this.#reconciler.plan(item.prepared)));
    for (const [index, plan] of planned.entries()) {
      const item = prepared[index];
      if (item !== undefined) this.#follow(item.key, item.ref, this.#reconciler.commit(plan));
    }
  }

  #follow(key: string, ref: ObjectRef, next: Next): void {
    if (next !== 'back-off') this.#failures.delete(key);
    if (next === 'when-changed') return;
    if (next === 'back-off') {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.#queue(ref, Math.min(BACK_OFF.longest, BACK_OFF.first * 2 ** failures));
      return;
    }
    const spread = this.#dice.between(1 - JITTER, 1 + JITTER, 'ttl', key, this.#clock.seconds);
    this.#queue(ref, next.after * spread);
  }
}
