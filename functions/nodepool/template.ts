/** What every machine of the pool should be: the Cluster's settings under the pool's, frozen. */
import { compare, valid } from 'semver';
import type { PoolProvisioning, Provisioning } from '#lib/api/fields/provisioning.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { MachineSpec } from '#lib/api/kinds/machine.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { refusal } from '#lib/api/refusal.ts';

/** A Machine's spec without what differs from slot to slot. */
export type Template = Omit<MachineSpec, 'failureDomain' | 'bootstrap' | 'crossplane'> & {
  readonly bootstrap: Omit<MachineSpec['bootstrap'], 'action'>;
};

export function templateOf(pool: NodePool, cluster: Cluster, owner: string): Template {
  const { spec } = pool;
  const { zones: _zones, ...machine } = spec.machine;
  return {
    clusterRef: spec.clusterRef,
    nodePoolRef: { name: pool.metadata.name },
    role: spec.role,
    version: versionOf(pool, cluster, owner),
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
 * The control plane goes first: a worker pool without a version of its own follows what control-plane nodes
 * already run, and one with its own may not be ahead of what the Cluster asks for.
 */
function versionOf({ spec }: NodePool, cluster: Cluster, owner: string): string {
  const wanted = cluster.spec.version;
  if (spec.role === 'control-plane') return wanted;
  if (spec.version !== undefined) {
    if (compare(spec.version, wanted) > 0)
      throw refusal(owner, 'spec.version', spec.version, `${wanted}, the control plane's version, or an older one`);
    return spec.version;
  }
  const reached = cluster.status?.controlPlane?.version;
  return valid(reached) !== null && reached !== undefined && compare(reached, wanted) < 0 ? reached : wanted;
}

/** Lists: the Cluster's, then the pool's. Maps and values: the pool's win. */
function merged(base: Provisioning, pool: PoolProvisioning): Provisioning {
  const ntp = pool.ntp ?? base.ntp;
  const timezone = pool.timezone ?? base.timezone;
  return {
    format: pool.format ?? base.format,
    files: [...base.files, ...pool.files],
    users: [...base.users, ...pool.users],
    commands: {
      pre: [...base.commands.pre, ...pool.commands.pre],
      post: [...base.commands.post, ...pool.commands.post],
    },
    packages: [...base.packages, ...pool.packages],
    sysctls: { ...base.sysctls, ...pool.sysctls },
    kernelModules: [...base.kernelModules, ...pool.kernelModules],
    caCertificates: [...base.caCertificates, ...pool.caCertificates],
    ...(ntp === undefined ? {} : { ntp }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
