/**
 * Simulates the calls of a pool one after another, each with the result of the previous one applied, until nothing is
 * left to do.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Rendered } from '#simulator/render/render-once.ts';
import type { PlanEntry } from './entry.ts';
import { machineEntries } from './machines.ts';
import type { Refusal } from './refusal.ts';
import { runXr } from './rendering.ts';
import { machinesOf, type Present, settled } from './settled.ts';

export interface Pass {
  readonly rendered: Rendered;
  readonly entries: readonly PlanEntry[];
  /** Entries by the machine that they are about, or by the machine that is replaced. */
  readonly about: ReadonlyMap<string, readonly PlanEntry[]>;
}

export interface Play {
  readonly passes: readonly [Pass, ...(readonly Pass[])];
  readonly end: Present;
  /** Whether nothing is left to do; otherwise the last pass says what is left. */
  readonly complete: boolean;
}

/** Limit for machines in all passes together, and the minimum number of passes for any number of machines. */
const WORK = 4000;
const FEWEST = 6;
/** Everything that ends at all ends within this number. */
const MOST = 500;

export async function play(start: Present): Promise<Play | { readonly refusal: Refusal }> {
  let present = start;
  const passes: Pass[] = [];
  for (let work = 0; ;) {
    const run = await runXr(present.world, present.pool);
    const [first, ...others] = passes;
    if ('refusal' in run)
      return first === undefined ? run : { passes: [first, ...others], end: present, complete: false };
    const pass = passOf(present.pool, run.rendered);
    passes.push(pass);
    const all: Play['passes'] = first === undefined ? [pass] : [first, ...others, pass];
    const next = settled(present, run.rendered);
    if (next === undefined) return { passes: all, end: present, complete: true };
    work += machinesOf(next).length;
    present = next;
    if (passes.length >= MOST || (passes.length >= FEWEST && work > WORK))
      return { passes: all, end: present, complete: false };
  }
}

function passOf(pool: KubeObject, rendered: Rendered): Pass {
  const entries = machineEntries(pool, rendered);
  return { rendered, entries, about: byMachine(entries) };
}

/** Lines about a machine and about its replacement. */
export function byMachine(entries: readonly PlanEntry[]): ReadonlyMap<string, readonly PlanEntry[]> {
  const both = entries.flatMap((entry) => [
    { name: entry.name, entry },
    ...(entry.succeeds === undefined ? [] : [{ name: entry.succeeds, entry }]),
  ]);
  const groups = Map.groupBy(both, ({ name }) => name);
  return new Map([...groups].map(([name, all]) => [name, all.map(({ entry }) => entry)]));
}
