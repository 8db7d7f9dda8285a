/** The lines about one machine, matching what finally happens to it. */
import type { KubeObject } from '#lib/api/json.ts';
import { type MachineOutcome, outcomeOf, type PlanEntry } from './entry.ts';
import { fateOf, successorOf } from './fate.ts';
import { aboutMachine } from './machines.ts';
import type { Phase } from './phases.ts';
import { nameOf } from './world.ts';

/**
 * The lines of the first call of each phase come first. If that is not what finally happens, the first call that says
 * what happens is used.
 * @param waits what a delayed change waits for, if no call says it
 */
export function machineLines(
  machine: KubeObject,
  phases: readonly Phase[],
  waits: string,
  moved: string | undefined,
): readonly PlanEntry[] {
  const last = phases.at(-1);
  if (last === undefined) return [];
  const name = nameOf(machine);
  const after = last.after;
  const left = remaining(name, last);
  const first = firstLines(name, phases);
  const found = successorOf(machine, after);
  const successor = moved ?? (found === undefined ? undefined : nameOf(found));
  const happened = moved === undefined ? fateOf(machine, after) : 'replaced';
  const fate = left.length > 0 ? leftOutcome(left, last, successor) : happened;
  if (fate === 'held') return heldLines(first, left);
  if (fate === 'kept') return first.filter(({ decision }) => decision === 'Patch' || decision === 'Ignore');
  if (outcomeOf(first) === fate) return first;
  const said = allLines(name, phases, waits)
    .map((lines) => lines.map((line) => (isDrop(line) && fate === 'replaced' ? withSuccessor(line, successor) : line)))
    .find((lines) => outcomeOf(lines) === fate);
  if (said !== undefined) return fate === 'removed' ? said.filter(isDrop) : said;
  const about = { ...aboutMachine(last.play.end.pool, name), field: '', blockedBy: waits } as const;
  if (fate === 'updated')
    return [...first, { ...about, decision: 'Update', reason: 'it is changed to the desired state' }];
  const drop = { ...about, decision: 'Drop', reason: 'it is no longer desired' } as const;
  return [fate === 'replaced' ? withSuccessor(drop, successor) : drop];
}

/**
 * What the last call still says about it: nothing of it happens if the pool has settled; all of it if the simulation
 * was cut short.
 */
function remaining(name: string, { play }: Phase): readonly PlanEntry[] {
  return (play.passes.at(-1)?.about.get(name) ?? []).filter(({ decision }) => decision !== 'Ignore');
}

function leftOutcome(
  left: readonly PlanEntry[],
  { play }: Phase,
  successor: string | undefined,
): MachineOutcome | 'kept' {
  if (play.complete) return 'held';
  if (successor !== undefined) return 'replaced';
  const outcome = outcomeOf(left);
  return outcome === 'patched' || outcome === 'ignored' ? 'kept' : outcome;
}

/** What is new in each phase compared with earlier ones. */
function firstLines(name: string, phases: readonly Phase[]): readonly PlanEntry[] {
  const byKey = new Map<string, PlanEntry>();
  for (const { play, blockedBy, missed } of phases) {
    const lines = play.passes[0].about.get(name) ?? missed.get(name) ?? [];
    const replaced = lines.some(({ decision }) => decision === 'Recreate');
    for (const line of lines) {
      // Of a field that would first be updated, the end counts.
      if (line.decision === 'Recreate') byKey.delete(keyOf({ ...line, decision: 'Update' }));
      if (blockedBy === undefined) byKey.set(keyOf(line), line);
      // That a replacement is created is implied; its name is only known at that time.
      else if (!byKey.has(keyOf(line)) && !(replaced && isMade(line))) byKey.set(keyOf(line), { ...line, blockedBy });
    }
  }
  return [...byKey.values()];
}

function isMade({ succeeds }: PlanEntry): boolean {
  return succeeds !== undefined;
}

/** What each call says, call by call. */
function allLines(name: string, phases: readonly Phase[], waits: string): readonly (readonly PlanEntry[])[] {
  return phases.flatMap(({ play, blockedBy }) =>
    play.passes.map(({ about }, index) =>
      (about.get(name) ?? []).map((line) => {
        const by = blockedBy ?? (index === 0 ? undefined : (line.blockedBy ?? waits));
        return by === undefined ? line : { ...line, blockedBy: by };
      }),
    ),
  );
}

function heldLines(first: readonly PlanEntry[], left: readonly PlanEntry[]): readonly PlanEntry[] {
  const keys = new Set(left.map(keyOf));
  return [...first.filter((line) => !keys.has(keyOf(line)) && line.decision !== 'Drop'), ...left.map(asHeld)];
}

/** Patches are applied at once, unless the whole machine is held. */
function asHeld(line: PlanEntry): PlanEntry {
  return line.decision === 'Ignore' ? line : { ...line, held: true };
}

function isDrop({ decision }: PlanEntry): boolean {
  return decision === 'Drop';
}

function withSuccessor(line: PlanEntry, successor: string | undefined): PlanEntry {
  return successor === undefined ? line : { ...line, successor };
}

/** One line, whatever it waits for; a created machine has a different name in every call. */
export function keyOf({ kind, name, field, decision, succeeds }: PlanEntry): string {
  return JSON.stringify(succeeds === undefined ? [kind, name, field, decision] : [succeeds]);
}
