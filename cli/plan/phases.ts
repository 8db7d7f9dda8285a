/** The phases of a pool in order: what happens at once, then what each later event causes. */
import type { KubeObject } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { machineEntries } from './machines.ts';
import { byMachine, play, type Play } from './play.ts';
import type { Refusal } from './refusal.ts';
import { runXr } from './rendering.ts';
import { machinesOf, type Present } from './settled.ts';
import { nameOf } from './world.ts';

/** Something that happens later without an edit. */
export interface Event {
  /** What its effects wait for, as text. */
  readonly blockedBy: string;
  readonly happens: (present: Present) => Present;
}

export interface Phase {
  /** Undefined: it begins at once. */
  readonly blockedBy: string | undefined;
  readonly play: Play;
  /** The machines at its end. */
  readonly after: readonly KubeObject[];
  /** Lines about machines that no longer exist when it begins: what would happen to them if it began at once. */
  readonly missed: ReadonlyMap<string, readonly PlanEntry[]>;
}

/** @returns the result of each phase, or the refusal of the claim */
export async function playPhases(
  start: Present,
  events: readonly Event[],
): Promise<readonly [Phase, ...(readonly Phase[])] | { readonly refusal: Refusal }> {
  const first = await play(start);
  if ('refusal' in first) return first;
  const phases: Phase[] = [];
  let present = first.end;
  for (const { blockedBy, happens } of events) {
    const next = await play(happens(present));
    if ('refusal' in next) break;
    const missed = await missedBy(happens(start), present);
    phases.push({ blockedBy, play: next, after: machinesOf(next.end), missed });
    present = next.end;
  }
  return [{ blockedBy: undefined, play: first, after: machinesOf(first.end), missed: new Map() }, ...phases];
}

async function missedBy(atOnce: Present, begun: Present): Promise<Phase['missed']> {
  const there = new Set(machinesOf(begun).map(nameOf));
  const gone = machinesOf(atOnce).filter((machine) => !there.has(nameOf(machine)));
  if (gone.length === 0) return new Map();
  const run = await runXr(atOnce.world, atOnce.pool);
  if ('refusal' in run) return new Map();
  const about = byMachine(machineEntries(atOnce.pool, run.rendered));
  return new Map(gone.map((machine) => [nameOf(machine), about.get(nameOf(machine)) ?? []]));
}
