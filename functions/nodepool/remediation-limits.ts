/** How many unhealthy machines may be replaced at once, and when none may. */
import { lacksCapacity } from './capacity.ts';
import { rangeOf } from '#lib/api/fields/health.ts';
import type { PendingRemediation } from '#lib/api/kinds/node-pool.ts';
import { type Health, judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { type Note, type HeldBy, PAUSED, type PlanInput, type Slot, slotsOf } from './slot.ts';

/** The health of a slot: that of its best machine. */
export interface SlotHealth {
  readonly slot: Slot;
  readonly machine: PoolMachine;
  readonly members: readonly PoolMachine[];
  readonly health: Health;
}

export function deferred({ machine, health }: SlotHealth, heldBy: HeldBy, why: string): Note {
  return { kind: 'Remediating', message: `Machine ${machine.name} ${health.because}; ${why}`, heldBy };
}

/** Why no machine may be replaced now; `first` is the unhealthy one that would be replaced. */
export function heldAll(input: PlanInput, watched: readonly SlotHealth[], first: SlotHealth): Note | undefined {
  const { pool, noNewMachines } = input;
  const { health, paused } = pool.spec;
  if (paused) return deferred(first, 'Paused', PAUSED);
  if (noNewMachines !== undefined) return deferred(first, 'NoNewMachines', noNewMachines);
  // A machine that was never created cannot be affected by an outage.
  const unhealthy = watched.filter(
    ({ machine }) => stateOf(input, machine) !== 'Healthy' && !lacksCapacity(machine),
  ).length;
  if (!isAllowed(input, unhealthy, watched.length)) {
    const { maxUnhealthy, unhealthyRange } = health;
    const limit =
      unhealthyRange === undefined ? `maxUnhealthy is ${maxUnhealthy}` : `unhealthyRange is ${unhealthyRange}`;
    const why = `${unhealthy} of ${watched.length} machines are not healthy, ${limit}`;
    return { ...deferred(first, 'TooManyUnhealthy', why), constant: limit };
  }
  return undefined;
}

/**
 * Why an unhealthy machine stays: control-plane machines are replaced one after another, and none while the others need
 * it.
 */
export function heldMember(input: PlanInput, first: SlotHealth): Note | undefined {
  const { machines, leaving, runsEtcd, pool } = input;
  if (pool.spec.role !== 'control-plane') return undefined;
  if (slotsOf(machines).length === 1) {
    const why = runsEtcd ? 'etcd has no other member' : 'no other machine serves the API that a replacement would join';
    return deferred(first, 'CannotBeRemediated', why);
  }
  if (leaving.length > 0)
    return deferred(first, 'RemediationDeferred', 'it waits until the machine that is being deleted is gone');
  const joining = machines.find((one) => !one.isNode && !first.members.includes(one) && canJoin(input, one));
  if (joining !== undefined)
    return deferred(first, 'RemediationDeferred', `it waits until Machine ${joining.name} has become a Node`);
  // Nothing joins beside a machine that never became a Node, and no member leaves: it is replaced first, or deleted.
  const stuck = machines.find((one) => !one.isNode && !first.members.includes(one));
  if (stuck !== undefined && first.machine.isNode)
    return deferred(
      first,
      'RemediationDeferred',
      `it waits until Machine ${stuck.name}, which never became a Node, is replaced or deleted`,
    );
  if (keepsQuorum(input, first)) return undefined;
  const why = runsEtcd
    ? 'without it etcd has no healthy majority; it waits until more of the others are healthy'
    : 'without it no healthy machine serves the API; it waits until another one is healthy';
  return deferred(first, 'RemediationDeferred', why);
}

function canJoin(input: PlanInput, machine: PoolMachine): boolean {
  return !machine.lost && stateOf(input, machine) === 'Starting';
}

function stateOf({ pool, now }: PlanInput, machine: PoolMachine): Health['state'] {
  return judge(machine, pool.spec.health, now).state;
}

/**
 * Machines that are not nodes yet are not etcd members. The deleted machine leaves etcd; a majority of the others must
 * be healthy. A machine in an in-place update is expected to be unavailable, and so is its member. With external etcd
 * no machine is a member, and one healthy machine serves the API.
 */
function keepsQuorum(input: PlanInput, { members }: SlotHealth): boolean {
  if (!members.some(({ isNode }) => isNode)) return true;
  const rest = input.machines.filter((machine) => machine.isNode && !members.includes(machine));
  // Counted like in the next step: a member whose Node is ready is healthy, whatever else is wrong with it.
  const well = rest.filter((machine) => !machine.updating && machine.ready);
  return input.runsEtcd ? well.length > rest.length / 2 : well.length > 0;
}

/** Rounded down, but any percentage above 0 allows at least one machine. */
function isAllowed({ pool }: PlanInput, unhealthy: number, all: number): boolean {
  const { maxUnhealthy, unhealthyRange } = pool.spec.health;
  const range = rangeOf(unhealthyRange ?? '');
  if (range !== undefined) return range.least <= unhealthy && unhealthy <= range.most;
  if (typeof maxUnhealthy === 'number') return unhealthy <= maxUnhealthy;
  const percent = Number(maxUnhealthy.slice(0, -1));
  return unhealthy <= Math.max(Math.floor((percent * all) / 100), percent > 0 ? 1 : 0);
}

export interface RemediationRoom {
  readonly count: number;
  /** The same if the replacements that are still missing cannot join. */
  readonly countIfNoneCanJoin: number;
  /** What the machines above the limit wait for. */
  readonly otherwise: string;
}

/**
 * How many more may be given up now: earlier ones without a replacement, and replacements that are not nodes yet, count
 * as in flight.
 */
export function roomOf(
  input: PlanInput,
  watched: readonly SlotHealth[],
  open: readonly PendingRemediation[],
): RemediationRoom {
  const { role, health } = input.pool.spec;
  const { maxInFlight = '100%' } = health;
  const share = typeof maxInFlight === 'number' ? 0 : (Number(maxInFlight.slice(0, -1)) * watched.length) / 100;
  const limit = typeof maxInFlight === 'number' ? maxInFlight : Math.ceil(share);
  // Retries in a slot that still has another machine belong to the roll-out.
  const waiting = open.filter(({ slot }) => slot === undefined);
  const joining = watched.filter((one) => one.slot.remediationFor !== undefined && one.health.state === 'Starting');
  const one = role === 'control-plane';
  const most = Math.min(limit, one ? 1 : Infinity) - joining.length;
  return {
    count: Math.max(0, most - waiting.length),
    countIfNoneCanJoin: Math.max(0, most),
    otherwise: one
      ? 'it waits until another machine is replaced: one control-plane machine at a time'
      : `it waits until another one is replaced: health.maxInFlight is ${maxInFlight}`,
  };
}
