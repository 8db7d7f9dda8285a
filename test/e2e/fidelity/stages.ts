/**
 * Every XR of an example at every step until it is ready, as the embedded engine has it: the input of one reconcile.
 * network → certificates → first control-plane machine → the others → pools → scaled → rolling out → deleted
 */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { join } from 'node:path';
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { type Engine, createEngine } from '#simulator/engine.ts';
import { USAGE_API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../../cli/files/read-objects.ts';
import { compositions, definitions } from '../../../cli/files/repository.ts';
import type { Functions } from '../../../cli/processes/functions.ts';
import { ROOT } from '../binaries/find.ts';

const SLIPWAY = 'slipway.dev/v1alpha1';
const LIMIT_SECONDS = 3600;

/** The input of one reconcile of one XR. */
export interface Start {
  readonly stage: string;
  readonly xr: KubeObject;
  readonly composition: KubeObject;
  readonly observed: readonly KubeObject[];
  /** All objects that functions may request. */
  readonly required: readonly KubeObject[];
  /** If set, the XR is as the user wrote it, without defaults. */
  readonly definition?: KubeObject;
  /** The current time for functions. */
  readonly now: Date;
}

interface Stage {
  readonly name: string;
  readonly act?: (engine: Engine, flavour: string) => void;
  readonly reached: (engine: Engine) => boolean;
}

const edit =
  (name: string, changes: JsonObject = {}) =>
  (engine: Engine, flavour: string): void => {
    for (const object of readObjects([join(ROOT, `examples/${flavour}/edits/${name}.yaml`)]))
      engine.apply({ ...object, spec: { ...object.spec, ...changes } });
  };
const deletion = (kind: string, name: string) => (engine: Engine) =>
  engine.delete({ apiVersion: SLIPWAY, kind, namespace: 'team-a', name });
const cluster = (engine: Engine): KubeObject | undefined => engine.list({ apiVersion: SLIPWAY, kind: 'Cluster' })[0];
const is = (type: string) => (engine: Engine) => conditionOf(cluster(engine), type)?.status === 'True';
const machines = (engine: Engine): readonly KubeObject[] => engine.list({ apiVersion: SLIPWAY, kind: 'Machine' });
const general = (engine: Engine): readonly KubeObject[] =>
  machines(engine).filter((one) => one.metadata?.labels?.['slipway.dev/nodepool'] === 'prod-general');
const allReady = (engine: Engine): boolean => engine.snapshot().ready;

/** No Usage of the Cluster is left. */
const isDeletable = (engine: Engine): boolean =>
  engine
    .list({ apiVersion: USAGE_API_VERSION, kind: 'Usage' })
    .every((usage) => stringAt(usage, 'spec', 'of', 'kind') !== 'Cluster');

/** How long the engine runs after the awaited state, so that later changes are in progress. */
const after = (seconds: number, reached: (engine: Engine) => boolean = () => true): ((engine: Engine) => boolean) => {
  let since: number | undefined;
  return (engine) => {
    if (reached(engine)) since ??= engine.seconds;
    return since !== undefined && engine.seconds >= since + seconds;
  };
};

const RUNGS: readonly Stage[] = [
  { name: 'claimed', reached: () => true },
  { name: 'network under way', reached: after(20) },
  { name: 'infrastructure ready', reached: is('InfrastructureReady') },
  { name: 'first machine', reached: (engine) => machines(engine).length > 0 },
  { name: 'initialized', reached: is('ControlPlaneInitialized') },
  { name: 'pools under way', reached: (engine) => general(engine).length > 0 },
  { name: 'ready', reached: allReady },
  { name: 'more asked for', act: edit('scale-up'), reached: () => true },
  { name: 'scaled up', reached: (engine) => general(engine).length === 4 },
  { name: 'scaled', reached: allReady },
  { name: 'other machines asked for', act: edit('image'), reached: () => true },
  { name: 'rolling out', reached: after(15, (engine) => general(engine).length > 3) },
  { name: 'rolled out', reached: allReady },
  { name: 'other sizes asked for', act: edit('instance-type'), reached: () => true },
  { name: 'one drained', reached: after(8) },
  { name: 'one stopped', reached: after(30) },
  { name: 'resized', reached: allReady },
  { name: 'fewer asked for', act: edit('scale-up', { replicas: 1 }), reached: () => true },
  { name: 'pool deleted', act: deletion('NodePool', 'prod-memory'), reached: after(3) },
  { name: 'last pool deleted', act: deletion('NodePool', 'prod-general'), reached: isDeletable },
  { name: 'cluster deleted', act: deletion('Cluster', 'prod'), reached: after(3) },
];

/**
 * First claims as written, then all objects at each step, including those being deleted.
 * @param flavour name of a folder in examples/
 */
export async function* stages(functions: Functions, flavour: string): AsyncGenerator<Start> {
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 0,
    functions: functions.caller,
  });
  engine.load([...definitions(), ...compositions()]);
  const objects = readObjects([join(ROOT, 'examples', flavour)]);
  const claims = objects.filter(({ apiVersion }) => apiVersion === SLIPWAY);
  yield* claims.map((xr) => written(xr, engine.now, flavour));
  for (const object of objects) engine.apply(object);
  for (const { name, act, reached } of RUNGS) {
    act?.(engine, flavour);
    const { reached: there } = await engine.runUntil(() => reached(engine), {
      limitSeconds: engine.seconds + LIMIT_SECONDS,
    });
    if (!there) throw new Error(`stage "${name}" was not reached`);
    yield* startsAt(name, engine, flavour);
  }
}

function written(xr: KubeObject, now: Date, flavour: string): Start {
  const definition = definitions().find((one) => stringAt(one, 'spec', 'names', 'kind') === xr.kind);
  if (definition === undefined) throw new Error(`no definition of ${xr.kind}`);
  return {
    stage: 'as written',
    xr,
    composition: compositionFor(xr, flavour),
    observed: [],
    required: [],
    definition,
    now,
  };
}

function startsAt(stage: string, engine: Engine, flavour: string): readonly Start[] {
  const xrs = ['Cluster', 'NodePool', 'Machine'].flatMap((kind) => engine.list({ apiVersion: SLIPWAY, kind }));
  const others = [...xrs, ...engine.list({ apiVersion: 'v1', kind: 'Secret' })];
  return xrs.map((xr) => ({
    stage,
    xr,
    composition: compositionFor(xr, flavour),
    observed: observedOf(engine, xr),
    // The real engine would take the XR itself from here, with references to objects that are not observed.
    required: others.filter((other) => other !== xr),
    now: engine.now,
  }));
}

function compositionFor(xr: KubeObject, flavour: string): KubeObject {
  const found = compositions().find(
    (one) =>
      stringAt(one, 'spec', 'compositeTypeRef', 'kind') === xr.kind &&
      one.metadata?.labels?.['slipway.dev/flavor'] === flavour,
  );
  if (found === undefined) throw new Error(`no composition for ${xr.kind} on ${flavour}`);
  return found;
}

/** What it composes and what exists of that, by its own references. */
function observedOf(engine: Engine, xr: KubeObject): readonly KubeObject[] {
  const refs = at(xr, 'spec', 'crossplane', 'resourceRefs');
  return (Array.isArray(refs) ? refs : []).filter(isJsonObject).flatMap((ref) => {
    const [apiVersion, kind, name] = [stringAt(ref, 'apiVersion'), stringAt(ref, 'kind'), stringAt(ref, 'name')];
    if (apiVersion === undefined || kind === undefined || name === undefined) return [];
    const namespace = xr.metadata?.namespace ?? '';
    return engine.get({ apiVersion, kind, namespace, name }) ?? [];
  });
}
