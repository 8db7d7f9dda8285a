/** Which slots come when there are too few: the lowest free numbers, where the fewest machines are. */
import type { Remediation } from '#lib/api/kinds/node-pool.ts';
import { leastUsed } from './placement.ts';
import type { PlanInput, Slot } from './slot.ts';
import type { Scaled } from './scale-down.ts';

/**
 * Control-plane machines join one after the other, and where they are etcd's members only while all the others are ready. The
 * first to come succeed those that were given up.
 */
export function scaleUp(input: PlanInput, kept: readonly Slot[], pending: readonly Remediation[]): Scaled {
  const { pool, machines, leaving, domains, runsEtcd } = input;
  const missing = pool.spec.replicas - kept.length;
  if (missing === 0) return { slots: kept, notes: [] };
  const controlPlane = pool.spec.role === 'control-plane';
  const message = `${missing} more: ${kept.length} machines, ${pool.spec.replicas} wanted`;
  const joining = machines.find(
    ({ slot, ready, lost, isNode }) =>
      !ready && !lost && (runsEtcd || !isNode) && kept.some(({ number }) => number === slot),
  );
  if (controlPlane && joining !== undefined) {
    const waits = `${message}; the next one joins once ${joining.name} is ready`;
    return { slots: kept, notes: [{ kind: 'ScalingUp', message: waits }] };
  }
  const taken = new Set([...machines.map(({ slot }) => slot), ...leaving]);
  const slots = [...kept];
  const now = controlPlane ? 1 : missing;
  for (let number = 0; slots.length < kept.length + now; number += 1) {
    if (taken.has(number)) continue;
    const used = slots.map(({ failureDomain }) => failureDomain);
    const remediationFor = pending[slots.length - kept.length];
    slots.push({ number, failureDomain: leastUsed(domains, used), initialize: false, remediationFor });
  }
  return { slots, notes: [{ kind: 'ScalingUp', message }] };
}
