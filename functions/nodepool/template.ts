/** The template of the machines of the pool: settings of the Cluster, overridden by those of the pool. */
import type { PoolProvisioning, Provisioning } from '#lib/api/fields/provisioning.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { MachineSpec } from '#lib/api/kinds/machine.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';

/** A Machine's spec without what differs from slot to slot. */
export type Template = Omit<MachineSpec, 'failureDomain' | 'bootstrap' | 'crossplane'> & {
  readonly bootstrap: Omit<MachineSpec['bootstrap'], 'action'>;
};

/** @param version what `planVersion` decided */
export function templateOf(pool: NodePool, cluster: Cluster, version: string): Template {
  const { spec } = pool;
  const { zones: _zones, ...machine } = spec.machine;
  return {
    clusterRef: spec.clusterRef,
    nodePoolRef: { name: pool.metadata.name },
    role: spec.role,
    version,
    machine,
    labels: spec.labels,
    annotations: spec.annotations,
    taints: spec.taints,
    bootstrap: {
      provider: cluster.spec.bootstrap.provider,
      config: { ...cluster.spec.bootstrap.config, ...spec.bootstrap.config },
    },
    provisioning: merged(cluster.spec.provisioning, spec.provisioning),
    infrastructure: spec.infrastructure,
    drain: spec.update.drain,
  };
}

/**
 * Lists: first those of the Cluster, then those of the pool. Maps: entries of the pool override. Everything else: the
 * value of the pool overrides.
 */
function merged(base: Provisioning, pool: PoolProvisioning): Provisioning {
  const { format, commands, ...own } = pool;
  const joined = Object.entries(own).map(([key, value]) => [key, joinedField(base[key as keyof typeof own], value)]);
  return {
    ...base,
    ...(Object.fromEntries(joined.filter(([, value]) => value !== undefined)) as typeof own),
    commands: {
      pre: [...base.commands.pre, ...commands.pre],
      post: [...base.commands.post, ...commands.post],
    },
    format: format ?? base.format,
  };
}

function joinedField(base: unknown, pool: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(pool)) return [...(base as unknown[]), ...(pool as unknown[])];
  if (isMap(base) && isMap(pool)) return { ...base, ...pool };
  return pool;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
