/**
 * New machines that fail before they replace another one: lost, or not a Node in time. Each is deleted and created
 * again after a growing delay, like an unhealthy machine; while one fails, the roll-out begins with no other slot.
 */
import type { Group, Release } from '#lib/api/contracts/group.ts';
import type { PendingRemediation } from '#lib/api/kinds/node-pool.ts';
import { judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { earliest } from './remediation.ts';
import { newestOf, type Note, type PlanInput, slotsOf } from './slot.ts';
import { isExempt, openRemediations, successionOf } from './succession.ts';

export interface Newcomers {
  readonly releases: readonly Release[];
  readonly notes: readonly Note[];
  readonly pending: readonly PendingRemediation[];
  readonly stopped: Group['stopped'];
  readonly nextCheck: number | undefined;
}

/** The result for one slot. */
interface SlotResult {
  readonly releases: readonly Release[];
  readonly note?: Note;
  readonly pending?: PendingRemediation;
  readonly stop?: { readonly slot: string; readonly message: string };
  readonly due?: number | undefined;
}

export function planNewcomers(input: PlanInput): Newcomers {
  if (input.pool.spec.paused) return { releases: [], notes: [], pending: [], stopped: undefined, nextCheck: undefined };
  const found = [
    ...slotsOf(input.machines).map(([{ number }, members]) => resultOfSlot(input, number, members)),
    ...openRemediations(input).flatMap(waitingRetry),
  ].filter((one) => one !== undefined);
  const stops = found.flatMap(({ stop }) => stop ?? []);
  const [first] = stops;
  return {
    releases: found.flatMap(({ releases }) => releases),
    notes: found.flatMap(({ note }) => note ?? []),
    pending: found.flatMap(({ pending }) => pending ?? []),
    stopped: first && { slots: stops.map(({ slot }) => slot), message: first.message },
    nextCheck: earliest(found.map(({ due }) => due)),
  };
}

function resultOfSlot(input: PlanInput, slot: number, members: readonly PoolMachine[]): SlotResult | undefined {
  const newest = newestOf(members);
  if (newest === undefined || members.length < 2) return undefined;
  const useless = members.filter((machine) => isUseless(input, machine) || isSickBeside(input, machine, newest));
  if (useless.length === members.length) return undefined;
  const others = useless.filter((machine) => machine !== newest).map((machine) => releaseOf(input, machine));
  const retried = isRetry(input, newest, members) ? newest.remediationFor : undefined;
  if (!useless.includes(newest)) {
    const stop = retried && !newest.isNode ? trying(slot, newest, retried.retryCount + 1) : undefined;
    return { releases: others, ...(stop === undefined ? {} : { stop }) };
  }
  // A machine that is no longer wanted is not an attempt, and one that the cloud took back has not failed.
  if (newest.takenBack || input.isOutdated(newest)) return { releases: [...others, releaseOf(input, newest)] };
  const failed = (retried === undefined ? 0 : retried.retryCount + 1) + 1;
  // It is created again in the same slot, because it replaces another machine there.
  const there = { ...input, domains: newest.failureDomain === undefined ? [] : [newest.failureDomain] };
  const next = successionOf(there, retried === undefined ? { ...newest, remediationFor: undefined } : newest);
  const because = `Machine ${newest.name} ${judge(newest, input.pool.spec.health, input.now).because}`;
  const stop = { slot: String(slot), message: `${because}; ${counted(failed)}; ${HELP}` };
  if ('heldBy' in next) {
    const note: Note = {
      kind: 'Remediating',
      message: `${because}; ${next.why}; ${counted(failed)}`,
      heldBy: next.heldBy,
    };
    return { releases: others, note, stop, due: next.due };
  }
  const message = `${because} and is being replaced; ${counted(failed)}`;
  // It is deleted once the status records it: a machine deleted before that would be forgotten.
  const isRecorded = input.pending.some(({ machine }) => machine === newest.name);
  return {
    releases: isRecorded ? [...others, releaseOf(input, newest)] : others,
    note: { kind: 'Remediating', message, announce: true },
    pending: { ...next, slot },
    stop,
  };
}

const HELP = 'no other machine is replaced until one becomes a Node; fix or revert the last change';

function counted(failed: number): string {
  return failed === 1 ? 'it is the first new machine to fail' : `${failed} new machines failed one after another`;
}

/** It failed before and was created again. */
function trying(slot: number, { name }: PoolMachine, failed: number): SlotResult['stop'] {
  return { slot: String(slot), message: `Machine ${name} is a retry after ${failed} failed; ${HELP}` };
}

/** It was deleted, and the next attempt was not created yet. */
function waitingRetry({ slot, machine, retryCount }: PendingRemediation): SlotResult | readonly never[] {
  if (slot === undefined) return [];
  const message = `Machine ${machine} failed and is created again; ${counted(retryCount + 1)}; ${HELP}`;
  return { releases: [], stop: { slot: String(slot), message } };
}

/** It will never become ready. */
function isUseless({ pool, now }: PlanInput, machine: PoolMachine): boolean {
  if (machine.lost) return true;
  if (machine.isNode || isExempt(machine)) return false;
  return judge(machine, pool.spec.health, now).state === 'Unhealthy';
}

/** It is unhealthy, and its replacement exists: nothing waits for it. */
function isSickBeside({ pool, now }: PlanInput, machine: PoolMachine, newest: PoolMachine): boolean {
  if (machine === newest || !newest.ready || isExempt(machine)) return false;
  return judge(machine, pool.spec.health, now).state === 'Unhealthy';
}

/**
 * Its predecessor failed in this slot. A machine that is created for a roll-out inherits the annotation of the one
 * before it.
 */
function isRetry({ pool }: PlanInput, newest: PoolMachine, members: readonly PoolMachine[]): boolean {
  const { remediationFor, slot } = newest;
  if (remediationFor === undefined) return false;
  if (!remediationFor.machine.startsWith(`${pool.metadata.name}-${slot}-`)) return false;
  return !members.some((one) => one !== newest && one.remediationFor?.machine === remediationFor.machine);
}

function releaseOf({ pool, now }: PlanInput, machine: PoolMachine): Release {
  const { because } = judge(machine, pool.spec.health, now);
  return { name: machine.name, why: 'Lost', message: `it ${because}` };
}
