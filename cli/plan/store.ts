/** What the machines of a control plane are members of: they join and leave it one at a time. */
import { minor, valid } from 'semver';
import { runsEtcd } from '#lib/api/etcd.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { bootstrapperTraits } from '../../functions/bootstrap/traits.ts';
import type { PlanEntry } from './entry.ts';
import { ownerOf } from './machines.ts';
import { find, type PlanWorld } from './world.ts';

/** Lines about machines that come and go, with what they join or leave. */
export function withStore(
  entries: readonly PlanEntry[],
  world: Pick<PlanWorld, 'objects'>,
  pool: KubeObject,
): readonly PlanEntry[] {
  const store = storeOf(world, pool);
  return store === undefined ? entries : entries.map((entry) => (comesOrGoes(entry) ? { ...entry, store } : entry));
}

function comesOrGoes({ kind, decision }: PlanEntry): boolean {
  return kind === 'Machine' && (decision === 'Create' || decision === 'Drop');
}

/** Undefined: its machines are workers, their data is elsewhere, or nobody takes them out of it. */
function storeOf(world: Pick<PlanWorld, 'objects'>, pool: KubeObject): string | undefined {
  if (stringAt(pool, 'spec', 'role') !== 'control-plane') return undefined;
  const cluster = find(world, { kind: 'Cluster', namespace: pool.metadata?.namespace, name: ownerOf(pool).cluster });
  const { membership, externalEtcd } = bootstrapperTraits(stringAt(cluster, 'spec', 'bootstrap', 'provider') ?? '');
  const version = stringAt(pool, 'status', 'version') ?? stringAt(cluster, 'spec', 'version') ?? '';
  if (membership === undefined || (valid(version) !== null && minor(version) < (membership.since ?? 0)))
    return undefined;
  const certificates = at(cluster, 'status', 'certificates') as Parameters<typeof runsEtcd>[2];
  const config = at(cluster, 'spec', 'bootstrap', 'config');
  return runsEtcd(config, externalEtcd, certificates) ? (membership.store ?? 'etcd') : undefined;
}
