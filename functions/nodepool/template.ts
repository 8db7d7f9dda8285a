/** The template of the machines of the pool: settings of the Cluster, overridden by those of the pool. */
import type { Proxy } from '#lib/api/fields/host.ts';
import type { PoolProvisioning, Provisioning } from '#lib/api/fields/provisioning.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { MachineSpec } from '#lib/api/kinds/machine.ts';
import type { ReadOverrides, ReadPool } from './size.ts';

/** A Machine's spec without what differs from slot to slot. */
export type Template = Omit<MachineSpec, 'failureDomain' | 'bootstrap' | 'crossplane'> & {
  readonly bootstrap: Omit<MachineSpec['bootstrap'], 'action'>;
};

/** @param version what `planVersion` decided */
export function templateOf(pool: ReadPool, cluster: Cluster, version: string): Template {
  const { spec } = pool;
  const { zones: _zones, ...machine } = spec.machine;
  const infrastructure: ReadOverrides = spec.infrastructure;
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
    infrastructure,
    drain: spec.update.drain,
  };
}

/**
 * Lists: first those of the Cluster, then those of the pool. Maps: entries of the pool override. Everything else: the
 * value of the pool overrides.
 */
function merged(base: Provisioning, pool: PoolProvisioning): Provisioning {
  const { format, commands, proxy, ...own } = pool;
  const joined = Object.entries(own).map(([key, value]) => [key, joinedField(base[key as keyof typeof own], value)]);
  return {
    ...base,
    ...(Object.fromEntries(joined.filter(([, value]) => value !== undefined)) as typeof own),
    ...(proxy === undefined ? {} : { proxy: mergedProxy(base.proxy, proxy) }),
    commands: mergedCommands(base.commands, commands),
    format: format ?? base.format,
  };
}

type Commands = Provisioning['commands'];

/** References stay absent where there are none, so that machines of earlier releases do not change. */
function mergedCommands(base: Commands, pool: Commands): Commands {
  const from = (name: 'preFrom' | 'postFrom'): Partial<Commands> => {
    const both = [...(base[name] ?? []), ...(pool[name] ?? [])];
    return both.length === 0 ? {} : { [name]: both };
  };
  return {
    pre: [...base.pre, ...pool.pre],
    ...from('preFrom'),
    post: [...base.post, ...pool.post],
    ...from('postFrom'),
  };
}

/** A URL of the pool replaces a reference of the Cluster, and the other way round. */
function mergedProxy(base: Proxy | undefined, pool: Proxy): Proxy {
  const { http, httpFrom, https, httpsFrom, ...rest } = base ?? { none: [] };
  return {
    ...rest,
    ...(pool.http === undefined && pool.httpFrom === undefined ? present({ http, httpFrom }) : {}),
    ...(pool.https === undefined && pool.httpsFrom === undefined ? present({ https, httpsFrom }) : {}),
    ...pool,
  };
}

function present<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function joinedField(base: unknown, pool: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(pool)) return [...(base as unknown[]), ...(pool as unknown[])];
  if (isMap(base) && isMap(pool)) return { ...base, ...pool };
  return pool;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
