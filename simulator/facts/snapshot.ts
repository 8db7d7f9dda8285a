/** The state of a run as plain data, for people and programs. */
import type { Scheduler } from '../clock/scheduler.ts';
import type { Store } from '../store/store.ts';
import { compositeFacts } from './composites.ts';
import type { Counters, Snapshot } from './facts.ts';
import type { Journal } from './journal.ts';
import type { Recorder } from './recorder.ts';

export interface Sources {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly recorder: Recorder;
  readonly journal: Journal;
  readonly controller: { readonly reconciles: number };
}

/** @param cloudObjects current number of objects in the clouds */
export function snapshotOf(sources: Sources, seed: number, cloudObjects: number): Snapshot {
  const { store, clock, recorder, journal } = sources;
  const xrs = store.kinds.composites.flatMap(({ apiVersion, kind }) => store.list({ apiVersion, kind }));
  const composites = compositeFacts(xrs, (ref) => store.find(ref));
  return {
    now: clock.stamp,
    seconds: clock.seconds,
    seed,
    ready: composites.length > 0 && composites.every(({ ready, synced, deleting }) => ready && synced && !deleting),
    composites,
    counters: countersOf(sources, cloudObjects),
    timeline: journal.moments,
    warnings: recorder.events.filter(({ severity }) => severity === 'Warning'),
    violations: journal.violations,
  };
}

function countersOf({ journal, controller }: Sources, cloudObjects: number): Counters {
  return {
    reconciles: controller.reconciles,
    functionCalls: journal.counts('calls'),
    failedCalls: journal.failedCalls,
    created: journal.counts('created'),
    deleted: journal.counts('deleted'),
    cloudCreated: journal.counts('cloudCreated'),
    cloudDeleted: journal.counts('cloudDeleted'),
    cloudObjects,
    machinesBooted: total(journal.counts('machinesBooted')),
    nodesJoined: total(journal.counts('nodesJoined')),
    nodesDrained: total(journal.counts('nodesDrained')),
    nodesUpdated: total(journal.counts('nodesUpdated')),
  };
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
