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
  return replacing && keepsMajority(own) ? undefined : unready[0];
}

/**
 * Whether no replacement of another machine can join beside this one: it never became a Node, or it is an unhealthy
 * member beside which etcd would have no majority if the new machine failed.
 */
export function keepsOthersFromJoining({ machines, runsEtcd }: PlanInput, machine: PoolMachine): boolean {
  if (!machine.isNode) return true;
  return runsEtcd && !machine.ready && !keepsMajority(machines);
}

/** Whether more than half of the members are healthy even if one more joins and fails. */
function keepsMajority(machines: readonly PoolMachine[]): boolean {
  const members = machines.filter(({ isNode }) => isNode);
  return members.filter(({ ready }) => ready).length > (members.length + 1) / 2;
}
