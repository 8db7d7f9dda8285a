/**
 * How many machines a pool has whose claim does not say it: replicas may belong to an autoscaler or to `kubectl scale`,
 * and whoever takes the field away does not ask for fewer machines.
 */
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { NodePool, NodePoolStatus } from '#lib/api/kinds/node-pool.ts';
import type { PoolMachine } from './machines.ts';

/** A pool whose size is known. */
export type SizedPool = NodePool & { readonly spec: { readonly replicas: number } };

/** The same with every patch of its overrides at hand. */
export type ReadPool = SizedPool & { readonly spec: { readonly infrastructure: ReadOverrides } };

export interface ReadOverrides {
  overrides: Override[];
}

/** The size stays in status until the claim has one again: a machine that is deleted by hand does not change it. */
export function sizedPool(pool: NodePool, machines: readonly PoolMachine[], previous: NodePoolStatus): SizedPool {
  const replicas = pool.spec.replicas ?? previous.keptReplicas ?? presentSize(machines, previous);
  return { ...pool, spec: { ...pool.spec, replicas } };
}

/** A pool that has had machines keeps its number of slots; a new one starts with a machine. */
function presentSize(machines: readonly PoolMachine[], { nextSerial, pendingRemediations }: NodePoolStatus): number {
  if (machines.length === 0 && nextSerial === 0) return 1;
  return new Set(machines.map(({ slot }) => slot)).size + pendingRemediations.length;
}

/**
 * A pool that never had a machine, also one of no replicas that exists for long: nothing of it is there that an earlier
 * release accepted, and nothing is lost when it is refused.
 */
export function isNewPool({ machines, previous }: Counted): boolean {
  return machines.length === 0 && previous.nextSerial === 0;
}

/** A pool without machines that had some: whether they had what the claim says, nobody knows any more. */
export function isEmptied({ machines, previous }: Counted): boolean {
  return machines.length === 0 && previous.nextSerial > 0;
}

interface Counted {
  readonly machines: readonly PoolMachine[];
  readonly previous: NodePoolStatus;
}

/** How many machines were accepted last, or are there if no call has recorded it; 0 for a new pool. */
export function acceptedSize({ machines, previous }: Counted): number {
  if (previous.acceptedReplicas !== undefined) return previous.acceptedReplicas;
  return isNewPool({ machines, previous }) ? 0 : presentSize(machines, previous);
}
