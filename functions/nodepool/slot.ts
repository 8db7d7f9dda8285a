/** The slots of a pool as a plan speaks of them: what it is made from, and what it says. */
import type { NodePool, Remediation } from '#lib/api/kinds/node-pool.ts';
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
export type HeldBy = 'Paused' | 'TooManyUnhealthy' | 'RemediationDeferred' | 'CannotBeRemediated';

export interface Note {
  readonly kind: 'ScalingUp' | 'ScalingDown' | 'Remediating' | 'Waiting';
  readonly message: string;
  /** Why it does not happen now; absent: it happens. */
  readonly heldBy?: HeldBy;
}

export interface Plan {
  readonly slots: readonly Slot[];
  /** Why the set of slots is not, or not yet, what the claim asks for. */
  readonly notes: readonly Note[];
  /** Machines that were given up and have no successor yet. */
  readonly pending: readonly Remediation[];
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
  /** What an earlier call gave up and nobody succeeded yet. */
  readonly pending: readonly Remediation[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The slots that exist, in their order, with what is known of them. */
export function slotsOf(machines: readonly PoolMachine[]): readonly (readonly [Slot, readonly PoolMachine[]])[] {
  const bySlot = [...Map.groupBy(machines, ({ slot }) => slot)].sort(([a], [b]) => a - b);
  return bySlot.map(([number, members]) => [
    {
      number,
      failureDomain: members.find((machine) => !machine.lost)?.failureDomain ?? members[0]?.failureDomain,
      initialize: false,
      remediationFor: members.find(({ remediationFor }) => remediationFor !== undefined)?.remediationFor,
    },
    members,
  ]);
}
