/** The state of a run as plain data, for people and programs. */
import { conditionOf, isManagedReady, whyNotReady } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { conditionsOf } from '../reconcile/conditions.ts';
import { compositionName, resourceRefs } from '../reconcile/machinery.ts';
import { annotationsOf, controllerOf, isDeleting, metaOf } from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import type { ComposedFacts, CompositeFacts, Counters, Snapshot } from './facts.ts';
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
  const composites = compositesOf(store);
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

/** Parents before their children, then by kind and name. */
function compositesOf(store: Store): readonly CompositeFacts[] {
  const all = store.kinds.composites
    .flatMap(({ apiVersion, kind }) => store.list({ apiVersion, kind }))
    .map((xr) => compositeFacts(store, xr))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const known = new Set(all.map(keyOf));
  const isChild = (xr: CompositeFacts, parent: CompositeFacts | undefined): boolean =>
    parent === undefined
      ? xr.parent === undefined || !known.has(keyOf(xr.parent))
      : xr.parent !== undefined && keyOf(xr.parent) === keyOf(parent);
  const within = (parent: CompositeFacts | undefined): readonly CompositeFacts[] =>
    all.flatMap((xr) => (isChild(xr, parent) ? [xr, ...within(xr)] : []));
  return within(undefined);
}

function compositeFacts(store: Store, xr: KubeObject): CompositeFacts {
  const parent = parentOf(xr);
  const composition = compositionName(xr);
  return {
    ...refOf(xr),
    ready: conditionOf(xr, 'Ready')?.status === 'True',
    synced: conditionOf(xr, 'Synced')?.status === 'True',
    paused: annotationsOf(xr)[CROSSPLANE.paused] === 'true',
    deleting: isDeleting(xr),
    ...(composition === undefined ? {} : { composition }),
    conditions: conditionsOf(xr).map(({ type, status, reason, message }) => ({
      type,
      status,
      reason,
      ...(message === undefined ? {} : { message }),
    })),
    ...(parent === undefined ? {} : { parent }),
    composed: resourceRefs(xr)
      .map((ref) => composedFacts(ref, store.find(ref)))
      .toSorted((a, b) => (`${a.key}|${a.kind}` < `${b.key}|${b.kind}` ? -1 : 1)),
  };
}

function parentOf(xr: KubeObject): ObjectRef | undefined {
  const controller = controllerOf(xr);
  if (controller === undefined) return undefined;
  const { apiVersion, kind, name } = controller;
  const { namespace } = metaOf(xr);
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** They have a status, and no readiness. */
const CONFIGURATIONS: ReadonlySet<string> = new Set(['ProviderConfig', 'ClusterProviderConfig']);

function composedFacts(ref: ObjectRef, object: KubeObject | undefined): ComposedFacts {
  if (object === undefined) return { ...ref, key: '', ready: false, why: 'not created yet', deleting: false };
  const annotations = annotationsOf(object);
  const passive = CONFIGURATIONS.has(ref.kind) || (object.status === undefined && !('spec' in object));
  const ready = passive || isManagedReady(object);
  const why = ready ? undefined : whyNotReady(object);
  const externalName = annotations[CROSSPLANE.externalName];
  return {
    ...ref,
    key: annotations[CROSSPLANE.compositionResourceName] ?? '',
    ready,
    ...(why === undefined ? {} : { why }),
    deleting: isDeleting(object),
    ...(externalName === undefined ? {} : { externalName }),
  };
}
