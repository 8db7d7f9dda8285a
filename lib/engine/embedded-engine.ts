/** The engine put together: one clock, one store, and the controllers that watch it. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { describeIssues } from '#lib/api/parse.ts';
import { Dice } from './clock/dice.ts';
import { Scheduler } from './clock/scheduler.ts';
import { Cloud } from './clouds/cloud.ts';
import type { Engine, EngineOptions, ListFilter, RunOutcome } from './interface.ts';
import type { Happening, Snapshot } from './facts/facts.ts';
import { Journal } from './facts/journal.ts';
import { Recorder } from './facts/recorder.ts';
import { snapshotOf } from './facts/snapshot.ts';
import { Workloads } from './nodes/workloads.ts';
import { Controller } from './reconcile/controller.ts';
import { Preparer } from './reconcile/prepare.ts';
import { Reconciler } from './reconcile/reconciler.ts';
import { ApiError } from './store/api-error.ts';
import { defineBuiltins } from './store/builtins.ts';
import { Cascade } from './store/cascade.ts';
import { loadAll } from './store/loader.ts';
import { type ObjectRef, describeRef, refOf } from './store/ref.ts';
import { Store } from './store/store.ts';
import { Usages } from './usage/usage.ts';

const MANAGER = 'kubectl';

export class EmbeddedEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #clock: Scheduler;
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #recorder: Recorder;
  readonly #controller: Controller;
  readonly #cloud: Cloud;

  constructor(options: EngineOptions) {
    const { start, seed, functions } = options;
    const dice = new Dice(seed);
    this.#options = options;
    this.#clock = new Scheduler(start);
    this.#store = new Store(this.#clock, dice);
    defineBuiltins(this.#store.kinds);
    this.#journal = new Journal(this.#clock, this.#store);
    this.#recorder = new Recorder(this.#clock, (event) => this.#journal.event(event));
    const stamp = (): string => this.#clock.stamp;
    const reconciler = new Reconciler(
      this.#store,
      this.#recorder,
      new Preparer(this.#store, dice, this.#recorder, stamp),
      {
        functions,
        now: () => this.#clock.now,
        stamp,
        onCall: (xr, facts) => this.#journal.call(refOf(xr), facts),
      },
    );
    this.#controller = new Controller(this.#store, this.#clock, dice, reconciler);
    void new Cascade(this.#store, this.#clock); // lives by watching
    void new Usages(this.#store, this.#clock, this.#recorder);
    this.#cloud = new Cloud({
      store: this.#store,
      clock: this.#clock,
      dice,
      recorder: this.#recorder,
      journal: this.#journal,
      faults: options.faults ?? {},
    });
    void new Workloads({
      store: this.#store,
      clock: this.#clock,
      dice,
      recorder: this.#recorder,
      journal: this.#journal,
      cloud: this.#cloud,
    });
  }

  get now(): Date {
    return this.#clock.now;
  }

  get seconds(): number {
    return this.#clock.seconds;
  }

  load(objects: readonly KubeObject[]): void {
    loadAll(this.#store, objects);
  }

  apply(object: KubeObject): KubeObject {
    try {
      return this.#store.apply(object, { manager: MANAGER, strict: true });
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown;
      const cause = thrown.issues.length === 0 ? thrown.message : describeIssues(thrown.issues);
      throw new SlipwayError('InvalidClaim', `cannot accept ${describeObject(object)}: ${cause}`);
    }
  }

  delete(ref: ObjectRef): void {
    try {
      this.#store.delete(ref);
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown;
      const code = thrown.reason === 'NotFound' ? 'UnknownSubject' : 'Unsupported';
      throw new SlipwayError(code, `cannot delete ${describeRef(ref)}: ${thrown.message}`);
    }
  }

  at(seconds: number, action: () => void): void {
    this.#clock.at(seconds, action);
  }

  terminate(ref: ObjectRef): void {
    this.#cloud.terminate(ref);
  }

  step(): Promise<boolean> {
    return this.#clock.step();
  }

  async runUntil(predicate: () => boolean, options: { readonly limitSeconds: number }): Promise<RunOutcome> {
    const { limitSeconds } = options;
    for (;;) {
      if (predicate()) return { reached: true, seconds: this.seconds, idle: false };
      const next = this.#clock.next;
      if (next === undefined) return { reached: false, seconds: this.seconds, idle: true };
      if (next > limitSeconds) {
        this.#clock.advanceTo(limitSeconds);
        return { reached: false, seconds: this.seconds, idle: false };
      }
      await this.step();
    }
  }

  get(ref: ObjectRef): KubeObject | undefined {
    return this.#store.find(ref);
  }

  list(filter: ListFilter): readonly KubeObject[] {
    return this.#store.list(filter);
  }

  subscribe(listener: (happening: Happening) => void): () => void {
    return this.#journal.subscribe(listener);
  }

  snapshot(): Snapshot {
    return snapshotOf({
      store: this.#store,
      clock: this.#clock,
      seed: this.#options.seed,
      recorder: this.#recorder,
      journal: this.#journal,
      reconciles: this.#controller.reconciles,
      cloud: this.#cloud,
    });
  }
}
