/** One run: definitions and Compositions of the project, real functions, claims from files, and scheduled changes. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { type Engine, type Faults, createEngine } from '#simulator/engine.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION, CONDITION } from '#lib/api/words.ts';
import { PASSING } from '../../functions/nodepool/version.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { describeObject } from '#lib/api/names.ts';
import { type Callable, callable, type CallableOptions, refuseUncalled } from '../callable.ts';
import { noClaim, readOnce } from '../files/claims.ts';
import { refuseMisspelt } from '../files/misspelt.ts';
import { inNamespace, type Namespace } from '../files/namespaces.ts';
import { notesOnOthers, ofOtherProject } from '../files/other-projects.ts';
import { unreadConfigs } from '../files/unread-config.ts';
import { type Placed, readPlaced } from '../files/read-objects.ts';
import { compositions, definitions } from '../files/repository.ts';
import { cautionsOf } from '../plan/cautions/cautions.ts';
import { isClaim } from '../plan/plan-claims.ts';
import { objectKey } from '../plan/world.ts';
import { type Places, placesIn } from '../plan/places.ts';
import { deleteObject } from './deletion.ts';
import { refuseUnknown } from './known.ts';
import type { Change } from './options.ts';
import { applyWritten, isAnyRefused, isOurs, refusalOf, type World } from './refused.ts';
import { watchStuck } from './stuck.ts';
import { refuseFaultsElsewhere } from './zones.ts';

export interface SimulationOptions extends CallableOptions {
  readonly files: readonly string[];
  /** Of objects whose files have none. */
  readonly namespace?: Namespace | undefined;
  readonly seed: number;
  /** Limit in seconds of virtual time. */
  readonly limit: number;
  readonly changes: readonly Change[];
  readonly faults: Faults;
  /** Folder of Compositions; the project's own by default. */
  readonly compositions: string | undefined;
}

/** Every simulation begins here, so that the same seed gives the same bytes. */
const START = new Date('2026-01-01T00:00:00Z');
/** Virtual seconds after a change before Ready counts. */
const SETTLE = 90;

/**
 * An engine with everything installed and the claims applied, before any function starts, so that errors are reported
 * quickly.
 */
export function prepare(options: SimulationOptions): Prepared {
  const read = claimsOf(options);
  const claims = objectsOf(read);
  const edits = options.changes.map((change) => {
    const placed = 'apply' in change.action ? editsIn(change.action.apply, options.namespace) : [];
    return { change, placed, objects: objectsOf(placed) };
  });
  const written = [...claims, ...edits.flatMap(({ objects }) => objects)];
  for (const { action } of options.changes) if ('delete' in action) refuseUnknown(action.delete, written);
  const [ours, others] = [claims.filter(isOurs), claims.filter((object) => !isOurs(object))];
  const installed = [...definitions(), ...compositions(options.compositions)];
  const world = {
    objects: others,
    definitions: installed,
    compositions: [...others, ...installed].filter(({ kind }) => kind === 'Composition'),
    now: START,
  };
  refuseUncalled(options, world.compositions);
  const isRefused = isAnyRefused(world, ours);
  let functions: Callable | undefined;
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: START,
    seed: options.seed,
    functions: (name) => {
      if (functions === undefined)
        throw new SlipwayError('Internal', `cannot call function "${name}": it was not started`);
      return functions.caller(name);
    },
    faults: options.faults,
  });
  engine.load(installed);
  if (!isRefused) {
    const places = placesIn(read);
    for (const claim of claims.filter(isServed)) applyWritten(engine, world, claim, places);
    refuseFaultsElsewhere(engine, options.faults, clustersIn(written));
  }
  for (const { change, placed, objects } of edits)
    engine.at(change.at, () => perform(engine, world, change, objects, placesIn(placed)));
  return {
    places() {
      const done = edits.filter(({ change }) => change.at <= engine.seconds);
      const inOrder = done.toSorted((one, other) => one.change.at - other.change.at);
      return placesIn([...read, ...inOrder.flatMap(({ placed }) => placed)]);
    },
    notes: [
      ...cautionsOf(world, lastOf(written.filter(isClaim))),
      ...notesOnOthers(written),
      ...unreadConfigs(written, world.compositions),
    ],
    /** Throws RefusedClaims before anything is simulated. */
    async start() {
      functions = await callable(options);
      if (isRefused) throw await refusalOf(world, ours, functions, placesIn(read));
      return engine;
    },
    stop: () => functions?.stop(),
  };
}

/** Everything read and accepted; nothing started yet. */
export interface Prepared {
  /** What is to be said beside the result, one sentence each. */
  readonly notes: readonly string[];
  /** Where the claims are written, as edited so far. */
  places(): Places;
  start(): Promise<Engine>;
  stop(): void;
}

/**
 * Runs until every XR is Ready and every change has settled, virtual time is up, or nothing moves any more because
 * something is refused.
 * @returns whether everything is Ready
 */
export async function converge(engine: Engine, options: SimulationOptions): Promise<boolean> {
  const lastChange = Math.max(0, ...options.changes.map(({ at }) => at + SETTLE));
  const isDone = (): boolean => engine.seconds >= lastChange && allReady(engine) && !isEmptying(engine);
  const stuck = watchStuck(engine, Math.max(lastChange, lastFault(options.faults)));
  const { reached } = await engine.runUntil(() => isDone() || stuck.isStuck(), { limitSeconds: options.limit });
  stuck.end();
  return reached && isDone();
}

/** Whether every claim is gone, and objects in the cloud are not yet. */
function isEmptying(engine: Engine): boolean {
  const exist = ['Cluster', 'NodePool', 'Machine'].some(
    (kind) => engine.list({ apiVersion: API_VERSION, kind }).length > 0,
  );
  return !exist && engine.snapshot().counters.cloudObjects > 0;
}

function lastFault({ noCapacity = [], providerRestarts = [] }: Faults): number {
  return Math.max(0, ...providerRestarts, ...noCapacity.map(({ until = 0 }) => until));
}

/** As the last edit of each has it. */
function lastOf(claims: readonly KubeObject[]): readonly KubeObject[] {
  return [...new Map(claims.map((claim) => [objectKey(claim), claim])).values()];
}

/** Clusters that edits have too count once. */
function clustersIn(objects: readonly KubeObject[]): number {
  const clusters = objects.filter(({ apiVersion, kind }) => apiVersion === API_VERSION && kind === 'Cluster');
  return new Set(clusters.map(describeObject)).size;
}

function editsIn(file: string, namespace: Namespace | undefined): readonly Placed[] {
  const read = inNamespace(readPlaced([file]), namespace, 'apply');
  refuseMisspelt(read, 'apply');
  return read;
}

function objectsOf(placed: readonly Placed[]): readonly KubeObject[] {
  return placed.map(({ object }) => object);
}

/** The API server of the simulation has no kinds of other projects. */
function isServed(object: KubeObject): boolean {
  return ofOtherProject(object) === undefined;
}

function claimsOf({ files, namespace }: SimulationOptions): readonly Placed[] {
  const read = readOnce(files, 'simulate', namespace);
  refuseMisspelt(read, 'simulate');
  if (read.some(({ object }) => isOurs(object))) return read;
  throw noClaim(objectsOf(read), files, 'simulate');
}

function perform(
  engine: Engine,
  world: World,
  { action }: Change,
  objects: readonly KubeObject[],
  places: Places,
): void {
  if ('apply' in action) {
    for (const object of objects.filter(isServed)) applyWritten(engine, world, object, places);
    return;
  }
  deleteObject(engine, action.delete);
}

/** Whether every XR is Ready and Synced and none is being deleted; cheap enough to call at every step. */
export function allReady(engine: Engine): boolean {
  // Machines last: there are many, and their pool is Ready after them.
  return ['Cluster', 'NodePool', 'Machine'].every((kind) =>
    engine.list({ apiVersion: API_VERSION, kind }).every(isReady),
  );
}

function isReady(xr: KubeObject): boolean {
  return (
    conditionOf(xr, 'Ready')?.status === 'True' &&
    conditionOf(xr, 'Synced')?.status === 'True' &&
    xr.metadata?.deletionTimestamp === undefined &&
    !waitsForVersion(xr)
  );
}

/** A pool is Ready while its version waits for the control plane or for add-ons, and goes on by itself. */
function waitsForVersion(xr: KubeObject): boolean {
  const accepted = conditionOf(xr, CONDITION.versionAccepted);
  return accepted?.status === 'False' && PASSING.has(accepted.reason);
}
