/** Machines that are created for empty slots. */
import type { KubeObject } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { slotOf } from './fate.ts';
import { aboutMachine } from './machines.ts';
import type { Phase } from './phases.ts';
import { machinesOf, type Present } from './settled.ts';
import { isSlipway, nameOf } from './world.ts';

/** The name contains the first free slot number at that time, and counts the machines that the pool created before. */
export const NAMED_LATER = 'its name is chosen when it is created';

/** @param waits what machines that are not created at once wait for, if no call says it */
export function createdEntries(
  start: Present,
  phases: readonly [Phase, ...(readonly Phase[])],
  waits: string,
): readonly PlanEntry[] {
  const { play } = phases.at(-1) ?? phases[0];
  const filled = new Set(machinesOf(play.end).map(slotOf));
  const known = new Set(machinesOf(start).map(slotOf));
  const awaited = phases[0].play.passes[0].entries.find(isNew)?.blockedBy;
  const made: PlanEntry[] = [];
  for (const [number, phase] of phases.entries())
    for (const [index, { rendered, entries }] of phase.play.passes.entries())
      for (const machine of rendered.composed.filter((one) => isMachine(one) && !known.has(slotOf(one)))) {
        known.add(slotOf(machine));
        if (!filled.has(slotOf(machine))) continue;
        const by = phase.blockedBy ?? (index === 0 && number === 0 ? undefined : (awaited ?? waits));
        const line = entries.find((entry) => entry.name === nameOf(machine) && isNew(entry)) ?? {
          ...aboutMachine(start.pool, nameOf(machine)),
          field: '',
          decision: 'Create' as const,
          reason: 'a machine is missing',
        };
        made.push(by === undefined ? line : { ...line, reason: `${line.reason}; ${NAMED_LATER}`, blockedBy: by });
      }
  return play.complete ? made : [...made, ...stillToCome(play.passes.at(-1)?.entries ?? [], made)];
}

/** If the simulation was cut short, machines that it waits for are included. */
function stillToCome(entries: readonly PlanEntry[], made: readonly PlanEntry[]): readonly PlanEntry[] {
  const names = new Set(made.map(({ name }) => name));
  return entries.filter((entry) => isNew(entry) && entry.blockedBy !== undefined && !names.has(entry.name));
}

function isNew({ decision, succeeds }: PlanEntry): boolean {
  return decision === 'Create' && succeeds === undefined;
}

function isMachine(object: KubeObject): boolean {
  return isSlipway(object, 'Machine');
}
