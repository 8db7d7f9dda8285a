/** A pool that does not exist yet: the machines that it creates at once, and those that it creates later. */
import { counted } from '#lib/api/counted.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { ownerOf } from './machines.ts';
import { nameOf } from './world.ts';

/**
 * @param entries what its own pipeline plans
 * @param absent why nothing is known of its Cluster; undefined: it is there
 */
export function newPoolEntries(
  pool: KubeObject,
  entries: readonly PlanEntry[],
  absent: string | undefined,
): readonly PlanEntry[] {
  if (entries.some(({ decision }) => decision === 'Refused')) return entries;
  const { namespace } = pool.metadata ?? {};
  const replicas = at(pool, 'spec', 'replicas') ?? 1;
  const made = entries.filter(({ kind }) => kind === 'Machine').length;
  const rest = Number(replicas) - made;
  const reason =
    rest > 0
      ? `it does not exist yet; it creates ${counted(rest, 'machine')} once its cluster is ready`
      : 'it does not exist yet';
  const about = { kind: 'NodePool', ...(namespace === undefined ? {} : { namespace }), name: nameOf(pool) };
  const waits = absent === undefined ? {} : { blockedBy: absent };
  const later = rest > 0 && absent === undefined ? { machinesLater: rest } : {};
  return [{ ...about, ...ownerOf(pool), field: '', decision: 'Create', reason, ...later, ...waits }, ...entries];
}
