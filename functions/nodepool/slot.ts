/** The slots of a pool as a plan speaks of them: what it is made from, and what it says. */
import type { Group, Release } from '#lib/api/contracts/group.ts';
import type { NodePool, PendingRemediation, Remediation } from '#lib/api/kinds/node-pool.ts';
import type { PoolMachine } from './machines.ts';

export interface Slot {
  readonly number: number;
  readonly failureDomain: string | undefined;
  /** The slot's machine starts the cluster instead of joining it. */
  readonly initialize: boolean;
  /** The unhealthy machine that the slot's machine succeeds. */
  readonly remediationFor: Remediation | undefined;
}

/** Why nothing is done about an unhealthy machine, in Cluster API's words. */
export type HeldBy = 'Paused' | 'TooManyUnhealthy' | 'RemediationDeferred' | 'CannotBeRemediated' | 'NoNewMachines';

/** What a paused pool says of a machine that would be replaced, as the end of a sentence. */
export const PAUSED = 'the pool is paused; set spec.paused to false to have it replaced';

export interface Note {
  readonly kind: 'ScalingUp' | 'ScalingDown' | 'Remediating';
  readonly message: string;
  /** Something is done for the first time: an event says so. */
  readonly announce?: true;
  /** Why it does not happen now; absent: it happens. */
  readonly heldBy?: HeldBy;
}

export interface Plan {
  readonly slots: readonly Slot[];
  /** Why the set of slots is not, or not yet, what the claim asks for. */
  readonly notes: readonly Note[];
  /** Machines that are not wanted any more, the first to go first; the in-place-update step says when each goes. */
  readonly releases: readonly Release[];
  /** Names of machines that are well and are to be replaced all the same, each once its successor serves. */
  readonly replacements: readonly string[];
  /** Machines that were given up and have no successor yet. */
  readonly pending: readonly PendingRemediation[];
  /** New machines fail one after another: which slots try again, and what is to be said. */
  readonly stopped: Group['stopped'];
  /** Milliseconds since 1970 when time alone may change the plan; undefined: it will not. */
  readonly nextCheck: number | undefined;
}

export interface PlanInput {
  readonly pool: NodePool;
  /** Composed machines. */
  readonly machines: readonly PoolMachine[];
  /** Slots of machines that are on their way out and still hold their names. */
  readonly leaving: readonly number[];
  readonly domains: readonly string[];
  /** Whether the cluster's first control-plane machine became a node. */
  readonly initialized: boolean;
  /** Whether control-plane machines are etcd's members. */
  readonly runsEtcd: boolean;
  /** What an earlier call gave up and has no successor yet. */
  readonly pending: readonly PendingRemediation[];
  /** Why the pool makes no machines now, as the end of a sentence; undefined: it does. */
  readonly barred: string | undefined;
  /** Whether a machine is something else than the pool asks for. */
  readonly isOutdated: (machine: PoolMachine) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The slots that exist, in their order, with what is known of them. The newest machine of a slot speaks for it. */
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
