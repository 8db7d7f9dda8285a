/** Beside which machines another control-plane machine may join. */
import type { PoolMachine } from './machines.ts';
import type { PlanInput, Slot } from './slot.ts';

/** The machine that the next one waits for. @param replacing  a machine was given up, and the next one replaces it */
export function blockingMember(
  { machines, runsEtcd }: PlanInput,
  kept: readonly Slot[],
  replacing: boolean,
): PoolMachine | undefined {
  const own = machines.filter(({ slot }) => kept.some(({ number }) => number === slot));
  const unready = own.filter(({ ready, lost }) => !ready && !lost);
  const joining = unready.find(({ isNode }) => !isNode);
  if (joining !== undefined || !runsEtcd) return joining;
  const members = own.filter(({ isNode }) => isNode);
  const well = members.filter(({ ready }) => ready).length;
  const keepsMajority = well > (members.length + 1) / 2;
  return replacing && keepsMajority ? undefined : unready[0];
}
