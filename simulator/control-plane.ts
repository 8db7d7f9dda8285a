/**
 * A control plane with Crossplane: clock, API server, garbage collector, XR controller, Usages. It has no cloud yet.
 */
import { Dice } from './clock/dice.ts';
import { Scheduler } from './clock/scheduler.ts';
import { Journal } from './facts/journal.ts';
import { Recorder } from './facts/recorder.ts';
import type { EngineOptions } from './interface.ts';
import { Controller } from './reconcile/controller.ts';
import { Dependencies } from './reconcile/dependencies.ts';
import { Preparer } from './reconcile/prepare.ts';
import { Reconciler } from './reconcile/reconciler.ts';
import { defineBuiltins } from './store/builtins.ts';
import { Cascade } from './store/cascade.ts';
import { refOf } from './store/ref.ts';
import { Namespaces } from './store/namespaces.ts';
import { Store } from './store/store.ts';
import { Usages } from './usage/usage.ts';

export class ControlPlane {
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly store: Store;
  readonly journal: Journal;
  readonly recorder: Recorder;
  readonly controller: Controller;

  constructor({
    start,
    seed,
    functions,
    crossplane = '2.4',
  }: Pick<EngineOptions, 'start' | 'seed' | 'functions' | 'crossplane'>) {
    this.dice = new Dice(seed);
    this.clock = new Scheduler(start);
    this.store = new Store(this.clock, this.dice);
    defineBuiltins(this.store.kinds);
    this.journal = new Journal(this.clock, this.store);
    this.recorder = new Recorder(this.clock, (event) => this.journal.event(event));
    const stamp = (): string => this.clock.stamp;
    const preparer = new Preparer(this.store, this.dice, this.recorder, stamp);
    const dependencies = new Dependencies(crossplane);
    const reconciler = new Reconciler(this.store, this.recorder, preparer, dependencies, {
      functions,
      now: () => this.clock.now,
      stamp,
      onCall: (xr, facts) => this.journal.call(refOf(xr), facts),
    });
    this.controller = new Controller(this.store, this.clock, this.dice, reconciler, dependencies);
    void new Cascade(this.store, this.clock); // these three run by their watches
    void new Namespaces(this.store, this.clock);
    void new Usages(this.store, this.clock, this.recorder);
  }
}
