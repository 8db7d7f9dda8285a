/** What happened to the machines of a pool, from the machines before and after. */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { UpdatePlan } from '#lib/api/contracts/update-plan.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { nameOf, type View } from '../sim/observation.ts';
import type { Family, PoolWorld } from './family.ts';

/** Names of machines by what happened to them; unchanged ones are in none. */
export interface Happened {
  readonly patched: readonly string[];
  readonly updated: readonly string[];
  readonly replaced: readonly string[];
  readonly created: readonly string[];
  readonly removed: readonly string[];
  readonly held: readonly string[];
}

/** @param before the machines when the edit was made; the pool is settled now */
export async function happenedTo(world: PoolWorld, family: Family, before: View): Promise<Happened> {
  const { machines: now } = world.view();
  const held = await heldIn(world, family);
  return fatesOf(nameOf(world.pool), { before: before.machines, now, made: world.created, held });
}

/** The machines of a pool before an edit and once it is settled. */
export interface Machines {
  readonly before: readonly KubeObject[];
  readonly now: readonly KubeObject[];
  /** Names in the order they were created. */
  readonly made: readonly string[];
  /** Names of those that stay different from the claim. */
  readonly held: ReadonlySet<string>;
}

export function fatesOf(pool: string, { before, now, made, held }: Machines): Happened {
  const fates = before.map((machine) => ({ name: nameOf(machine), fate: fateOf(machine, now, held) }));
  const named = (wanted: string): readonly string[] =>
    fates.filter(({ fate }) => fate === wanted).map(({ name }) => name);
  return {
    patched: named('patched'),
    updated: named('updated'),
    replaced: named('replaced'),
    created: createdIn(pool, { before, now, made }),
    removed: named('removed'),
    held: named('held'),
  };
}

function fateOf(machine: KubeObject, now: readonly KubeObject[], held: ReadonlySet<string>): string {
  const same = now.find((one) => nameOf(one) === nameOf(machine));
  if (same === undefined)
    return now.some((one) => slotOf(one) === slotOf(machine) && serialOf(one) > serialOf(machine))
      ? 'replaced'
      : 'removed';
  if (held.has(nameOf(machine))) return 'held';
  const [old, id] = [machine, same].map((one) => stringAt(one, 'spec', 'update', 'id'));
  if (id !== old || (isOpen(machine) && !isOpen(same))) return 'updated';
  return sameJson(withoutOrder(machine), withoutOrder(same)) ? 'untouched' : 'patched';
}

/** In a settled pool, a machine that still differs from the claim is held. */
async function heldIn(world: PoolWorld, { cluster }: Family): Promise<ReadonlySet<string>> {
  const view = world.view();
  const awake = { ...view, pool: { ...view.pool, spec: { ...view.pool.spec, paused: false } } };
  const version = cluster.spec?.['version'] ?? '';
  const controlPlane = { ...(cluster.status?.['controlPlane'] as JsonObject), version };
  const there = { ...cluster, status: { ...cluster.status, controlPlane } };
  const names = new Set<string>();
  for (const around of [cluster, there]) {
    const plan = await planned(world, awake, around);
    for (const { machines, decision, field } of plan?.changes ?? [])
      if (decision !== 'Ignore' && field !== '') for (const name of machines) names.add(name);
  }
  return names;
}

/** Undefined: a function refuses the claim, or nothing changes. */
async function planned(world: PoolWorld, view: View, cluster: KubeObject): Promise<UpdatePlan | undefined> {
  try {
    return UpdatePlan.safeParse(await world.plan(view, cluster)).data;
  } catch (thrown) {
    if (thrown instanceof SlipwayError) return undefined;
    throw thrown;
  }
}

/** Slots that had no machine, by the first machine that was created for them. */
function createdIn(pool: string, { before, now, made }: Omit<Machines, 'held'>): readonly string[] {
  const had = new Set(before.map(slotOf));
  const slots = [...new Set(now.map(slotOf))].filter((slot) => !had.has(slot));
  return slots.flatMap((slot) => made.find((name) => name.startsWith(`${pool}-${slot}-`)) ?? []);
}

function slotOf({ metadata }: KubeObject): string {
  return metadata?.labels?.[LABEL.slot] ?? '';
}

function serialOf({ metadata }: KubeObject): number {
  return Number(metadata?.labels?.[LABEL.serial]);
}

function isOpen(machine: KubeObject): boolean {
  const id = stringAt(machine, 'spec', 'update', 'id');
  if (id === undefined) return false;
  const ended = hasEnded(stringAt(machine, 'status', 'update', 'phase'));
  return stringAt(machine, 'status', 'update', 'id') !== id || !ended;
}

function withoutOrder({ spec }: KubeObject): JsonObject {
  const { update: _update, crossplane: _machinery, ...rest } = spec ?? {};
  return rest;
}
