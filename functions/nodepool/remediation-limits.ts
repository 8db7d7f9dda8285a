/** How many unhealthy machines may be replaced at once, and when none may. */
import { rangeOf } from '#lib/api/fields/health.ts';
import type { Remediation } from '#lib/api/kinds/node-pool.ts';
import { type Health, judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { type Note, type HeldBy, type PlanInput, type Slot, slotsOf } from './slot.ts';

/** A slot by the best of its machines. */
export interface Patient {
  readonly slot: Slot;
  readonly machine: PoolMachine;
  readonly members: readonly PoolMachine[];
  readonly health: Health;
}

export function deferred({ machine, health }: Patient, heldBy: HeldBy, why: string): Note {
  return { kind: 'Remediating', message: `Machine ${machine.name} ${health.because}; ${why}`, heldBy };
}

/** Why none at all is replaced now; `first` is the unhealthy one that would be. */
export function heldAll(input: PlanInput, patients: readonly Patient[], first: Patient): Note | undefined {
  const { pool, leaving } = input;
  const { health, paused, role } = pool.spec;
  if (paused) return deferred(first, 'Paused', 'the pool is paused');
  const unwell = patients.filter((patient) => patient.health.state !== 'Healthy').length;
  if (!isAllowed(input, unwell, patients.length)) {
    const { maxUnhealthy, unhealthyRange } = health;
    const limit =
      unhealthyRange === undefined ? `maxUnhealthy is ${maxUnhealthy}` : `unhealthyRange is ${unhealthyRange}`;
    return deferred(first, 'TooManyUnhealthy', `${unwell} of ${patients.length} machines are not healthy, ${limit}`);
  }
  if (role !== 'control-plane') return undefined;
  if (slotsOf(input.machines).length === 1)
    return deferred(
      first,
      'CannotBeRemediated',
      input.runsEtcd ? 'etcd has no other member' : 'no other machine serves the API that a successor would join',
    );
  if (leaving.length > 0) return deferred(first, 'RemediationDeferred', 'another machine is on its way out');
  if (keepsQuorum(input, first)) return undefined;
  const why = input.runsEtcd
    ? 'without it etcd has no healthy majority'
    : 'without it no healthy machine serves the API';
  return deferred(first, 'RemediationDeferred', why);
}

/**
 * Machines that are no nodes yet are no members. The one that goes leaves etcd; of the rest a majority must be well. One
 * that is updated in place is expected to be away, and so is its member. Where etcd is elsewhere none is a member, and one
 * well machine serves the API.
 */
function keepsQuorum({ machines, pool, now, runsEtcd }: PlanInput, { members }: Patient): boolean {
  const rest = machines.filter((machine) => machine.isNode && !members.includes(machine));
  const isWell = (machine: PoolMachine): boolean =>
    !machine.updating && judge(machine, pool.spec.health, now).state === 'Healthy';
  const well = rest.filter(isWell);
  return runsEtcd ? well.length > rest.length / 2 : well.length > 0;
}

/** A percentage is rounded down; one above 0% allows one even of a single machine. */
function isAllowed({ pool }: PlanInput, unwell: number, all: number): boolean {
  const { maxUnhealthy, unhealthyRange } = pool.spec.health;
  const range = rangeOf(unhealthyRange ?? '');
  if (range !== undefined) return range.least <= unwell && unwell <= range.most;
  if (typeof maxUnhealthy === 'number') return unwell <= maxUnhealthy;
  const percent = Number(maxUnhealthy.slice(0, -1));
  return unwell <= Math.max(Math.floor((percent * all) / 100), percent > 0 ? 1 : 0);
}

/** How many more may be given up now: those given up before, and successors that are no nodes yet, are in flight. */
export function roomOf({ pool }: PlanInput, patients: readonly Patient[], open: readonly Remediation[]): number {
  const { role, health } = pool.spec;
  const { maxInFlight = '100%' } = health;
  const share = typeof maxInFlight === 'number' ? 0 : (Number(maxInFlight.slice(0, -1)) * patients.length) / 100;
  const limit = typeof maxInFlight === 'number' ? maxInFlight : Math.ceil(share);
  const joining = patients.filter((one) => one.slot.remediationFor !== undefined && one.health.state === 'Starting');
  return Math.max(0, Math.min(limit, role === 'control-plane' ? 1 : Infinity) - open.length - joining.length);
}
