/** What happens to the machines of one pool: its own pipeline, called again and again until nothing is left to do. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONDITION, CROSSPLANE } from '#lib/api/words.ts';
import type { Rendered } from '#simulator/render/render-once.ts';
import { createdEntries } from './created.ts';
import type { PlanEntry } from './entry.ts';
import { keyOf, machineLines } from './machine-lines.ts';
import { inOrder, machineEntries, ownerOf } from './machines.ts';
import { movedOf } from './moved.ts';
import { type Event, playPhases } from './phases.ts';
import { byMachine } from './play.ts';
import { refusedEntry } from './refused.ts';
import { type Run, runXr } from './rendering.ts';
import { resourceEntries } from './resources.ts';
import { machinesOf, type Present } from './settled.ts';
import { unsure } from './unsure.ts';
import { find, isGoing, nameOf, type PlanWorld } from './world.ts';

/** Something that a pool waits for and that does not happen without an edit. */
export interface Obstacle {
  readonly blockedBy: string;
  /** The world without this obstacle. */
  readonly without: (present: Present) => Present;
  /** Why nothing can remove it but another edit; undefined: what would happen then is told. */
  readonly stays?: string;
}

/** What happens later, and what does not. */
export interface VersionPath {
  readonly events: readonly Event[];
  readonly obstacles: readonly Obstacle[];
  /** What the pool waits for if it follows a control plane that is changing its version; undefined: it follows none. */
  readonly follows: string | undefined;
}

export interface PoolPlan {
  readonly entries: readonly PlanEntry[];
  /** The result of its simulation; undefined: there was none. */
  readonly end: Present | undefined;
}

/**
 * @param pool as it would be stored
 * @param before the world without the edit
 */
export async function planPool(
  world: PlanWorld,
  pool: KubeObject,
  before: PlanWorld,
  path: VersionPath,
): Promise<PoolPlan> {
  if (isGoing(pool)) return { entries: [], end: undefined };
  const start = { world, pool };
  const phases = await playPhases(start, path.events);
  if ('refusal' in phases) return { entries: [refusedEntry(pool, ownerOf(pool), phases.refusal)], end: undefined };
  const live = find(before, { kind: 'NodePool', namespace: pool.metadata?.namespace, name: nameOf(pool) });
  const unedited = live === undefined ? undefined : await runXr(before, live);
  const { end, passes } = (phases.at(-1) ?? phases[0]).play;
  const held = byMachine(await obstructed(end, [...pausedBy(pool), ...path.obstacles]));
  const { rendered } = phases[0].play.passes[0];
  const made = createdEntries(start, phases, waitsOf(pool));
  const moved = movedOf(machinesOf(start), phases, made);
  const taken = new Set(moved.values());
  const machines = machinesOf(start).flatMap((machine) => {
    const lines = machineLines(machine, phases, waitsOf(pool), moved.get(nameOf(machine)));
    return withHeld(lines, held.get(nameOf(machine)) ?? []);
  });
  const later = new Set([...path.events, ...path.obstacles].map(({ blockedBy }) => blockedBy));
  const isLater = ({ blockedBy = '' }: PlanEntry): number => Number(later.has(blockedBy));
  const entries = [...machines, ...made.filter(({ name }) => !taken.has(name))].toSorted(
    (a, b) => isLater(a) - isLater(b) || inOrder(a, b),
  );
  return {
    entries: [
      ...heldVersion(pool, rendered, (reason) => reason !== AWAITED),
      ...(path.obstacles.length > 0 && held.size > 0
        ? []
        : heldVersion(pool, (passes.at(-1) ?? passes[0]).rendered, isAwaited(pool))),
      ...leftAlone(
        pool,
        unsure(pool, withoutKept(entries, live, unedited), {
          follows: path.follows,
          machines: machinesOf(start),
          now: world.now,
        }),
      ),
      ...others(pool, unedited, rendered),
    ],
    end,
  };
}

/** What a delayed change waits for, if no call says it. */
function waitsOf(pool: KubeObject): string {
  return stringAt(pool, 'spec', 'role') === 'control-plane'
    ? 'one control-plane machine at a time'
    : 'update.maxUnavailable';
}

/** A paused pool only scales. */
function pausedBy(pool: KubeObject): readonly Obstacle[] {
  if (at(pool, 'spec', 'paused') !== true) return [];
  return [{ blockedBy: 'spec.paused', without: (present) => ({ ...present, pool: awakened(present.pool) }) }];
}

function awakened(pool: KubeObject): KubeObject {
  return { ...pool, spec: { ...pool.spec, paused: false } };
}

/** What would happen to fields if the obstacles were removed one after another. */
async function obstructed(end: Present, obstacles: readonly Obstacle[]): Promise<readonly PlanEntry[]> {
  const entries: PlanEntry[] = [];
  let present = end;
  for (const { blockedBy, without, stays } of obstacles) {
    present = without(present);
    const run = await runXr(present.world, present.pool);
    if ('refusal' in run) return entries;
    const known = new Set(entries.map(keyOf));
    const fields = machineEntries(present.pool, run.rendered).filter(({ field }) => field !== '');
    entries.push(...fields.filter((line) => !known.has(keyOf(line))).map((line) => asHeld(line, blockedBy, stays)));
  }
  return entries;
}

/** Nothing keeps a field of a machine that is deleted or replaced. */
function withHeld(lines: readonly PlanEntry[], held: readonly PlanEntry[]): readonly PlanEntry[] {
  const keys = new Set(held.map(keyOf));
  return [...lines.filter((line) => !keys.has(keyOf(line))), ...held];
}

function asHeld(entry: PlanEntry, blockedBy: string, stays?: string): PlanEntry {
  if (entry.decision === 'Ignore') return entry;
  return { ...entry, ...(stays === undefined ? {} : { decision: 'Hold', reason: stays }), blockedBy, held: true };
}

/** Crossplane does nothing at all to a pool with this annotation. */
function leftAlone(pool: KubeObject, entries: readonly PlanEntry[]): readonly PlanEntry[] {
  if (pool.metadata?.annotations?.[CROSSPLANE.paused] !== 'true') return entries;
  return entries.map((entry) => asHeld(entry, `annotation ${CROSSPLANE.paused}`));
}

/** The reason of a version that the control plane does not run yet: what it gets is an event, and what it does not an obstacle. */
const AWAITED = 'WaitingForControlPlane';

/** A version of its own that the control plane does not get, however long the pool waits. */
function isAwaited(pool: KubeObject): (reason: string) => boolean {
  return (reason) => reason === AWAITED && stringAt(pool, 'spec', 'version') !== undefined;
}

/** A version that the pool may not have, for such a reason: it keeps its current one. */
function heldVersion(
  pool: KubeObject,
  { composite }: Rendered,
  isSaid: (reason: string) => boolean,
): readonly PlanEntry[] {
  const said = conditionOf(composite, CONDITION.versionAccepted);
  if (said?.status !== 'False' || !isSaid(said.reason)) return [];
  const { namespace } = pool.metadata ?? {};
  const about = { kind: 'NodePool', ...(namespace === undefined ? {} : { namespace }), name: nameOf(pool) };
  const reason = said.message ?? said.reason;
  return [{ ...about, ...ownerOf(pool), field: 'spec.version', decision: 'Hold', reason, held: true }];
}

function others(pool: KubeObject, unedited: Run | undefined, after: Rendered): readonly PlanEntry[] {
  if (unedited === undefined) return resourceEntries(undefined, after, ownerOf(pool));
  return 'refusal' in unedited ? [] : resourceEntries(unedited.rendered, after, ownerOf(pool));
}

/** A field that is kept even without the edit is not reported. */
function withoutKept(
  entries: readonly PlanEntry[],
  live: KubeObject | undefined,
  unedited: Run | undefined,
): readonly PlanEntry[] {
  const ignored = entries.some(({ decision }) => decision === 'Ignore');
  if (!ignored || live === undefined || unedited === undefined || 'refusal' in unedited) return entries;
  const kept = new Set(machineEntries(live, unedited.rendered).map(keptKey));
  return entries.filter((entry) => entry.decision !== 'Ignore' || !kept.has(keptKey(entry)));
}

function keptKey({ name, field, old, new: value, decision }: PlanEntry): string {
  return JSON.stringify([name, field, old, value, decision]);
}
