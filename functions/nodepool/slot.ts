/** The slots of a pool: input and output of its plan. */
import type { Group, Release } from '#lib/api/contracts/group.ts';
import type { PendingRemediation, Remediation } from '#lib/api/kinds/node-pool.ts';
import type { PoolMachine } from './machines.ts';
import type { SizedPool } from './size.ts';

export interface Slot {
  readonly number: number;
  readonly failureDomain: string | undefined;
  /** The machine of the slot starts the cluster instead of joining it. */
  readonly initialize: boolean;
  /** The unhealthy machine that the machine of the slot replaces. */
  readonly remediationFor: Remediation | undefined;
}

/** Why something does not happen: of an unhealthy machine that is not replaced, the reasons of Cluster API. */
export type HeldBy =
  | 'Paused'
  | 'TooManyUnhealthy'
  | 'RemediationDeferred'
  | 'CannotBeRemediated'
  | 'NoNewMachines'
  | 'NotAccepted'
  | 'OutsideLimits';

/** Message of a paused pool about a machine that would be replaced, as the end of a sentence. */
export const PAUSED = 'the pool is paused; set spec.paused to false to have it replaced';

export interface Note {
  readonly kind: 'ScalingUp' | 'ScalingDown' | 'Remediating';
  readonly message: string;
  /** Something begins: emit an event. */
  readonly announce?: true;
  /** Why it does not happen now; absent: it happens. */
  readonly heldBy?: HeldBy;
  /** The part of the message that stays the same while there is nothing new to report. @default the message */
  readonly constant?: string;
}

export interface Plan {
  readonly slots: readonly Slot[];
  /** Why the set of slots does not match the claim (yet). */
  readonly notes: readonly Note[];
  /** Machines that are no longer wanted, in order of removal; the in-place-update step decides when each is deleted. */
  readonly releases: readonly Release[];
  /** Names of healthy machines to replace, each once its replacement is ready. */
  readonly replacements: readonly string[];
  /** Machines that were given up and have no replacement yet. */
  readonly pending: readonly PendingRemediation[];
  /** Repeated failures of new machines: which slots retry, and what to report. */
  readonly stopped: Group['stopped'];
  /** Milliseconds since 1970 when time alone may change the plan; undefined: it will not. */
  readonly nextCheck: number | undefined;
}

export interface PlanInput {
  readonly pool: SizedPool;
  /** Composed machines. */
  readonly machines: readonly PoolMachine[];
  /** Slots of machines that are being deleted and still use their names. */
  readonly leaving: readonly number[];
  readonly domains: readonly string[];
  /** Whether the cluster's first control-plane machine became a node. */
  readonly initialized: boolean;
  /** Whether control-plane machines are etcd members. */
  readonly runsEtcd: boolean;
  /** Machines that an earlier call gave up and that have no replacement yet. */
  readonly pending: readonly PendingRemediation[];
  /** Why the pool creates no machines now, as the end of a sentence; undefined: it does. */
  readonly noNewMachines: string | undefined;
  /** Whether a machine differs from its pool. */
  readonly isOutdated: (machine: PoolMachine) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The existing slots in order, with their data. The newest machine of a slot represents it. */
export function slotsOf(machines: readonly PoolMachine[]): readonly (readonly [Slot, readonly PoolMachine[]])[] {
  const bySlot = [...Map.groupBy(machines, ({ slot }) => slot)].sort(([a], [b]) => a - b);
  return bySlot.map(([number, members]) => [
    {
      number,
      failureDomain: members.find((machine) => !machine.lost)?.failureDomain ?? members[0]?.failureDomain,
      initialize: false,
      remediationFor: newestOf(members)?.remediationFor,
    },
    members,
  ]);
}

/** The machine that was made last. */
export function newestOf(members: readonly PoolMachine[]): PoolMachine | undefined {
  return members.reduce<PoolMachine | undefined>(
    (newest, one) => (newest === undefined || one.serial > newest.serial ? one : newest),
    undefined,
  );
}
