/**
 * What the machines of a pool were last allowed to be, recorded in its status. While a part of its claim waits or is
 * refused, the pool goes on with the whole of it: no part of an edit touches a machine before the rest may.
 */
import { canonical, type JsonObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import { knownMachineSpec } from '#lib/api/kinds/machine-spec.ts';
import type { AcceptedTemplate, NodePoolStatus } from '#lib/api/kinds/node-pool.ts';
import { PoolProvisioning } from '#lib/api/fields/provisioning.ts';
import type { PoolMachine } from './machines.ts';
import { withoutEmpty } from './render.ts';
import type { ReadPool } from './size.ts';
import { newestOf } from './slot.ts';
import type { Template } from './template.ts';

export interface Accepted {
  readonly template: Template;
  readonly zones: readonly string[] | undefined;
  readonly rolloutAfter: string | undefined;
}

/** Of the status; undefined: no call has recorded it yet, or no release reads it. */
export function recordedOf({ accepted }: NodePoolStatus): Accepted | undefined {
  const template = accepted && templateIn(accepted.template as JsonObject);
  return template && { template, zones: accepted.zones, rolloutAfter: accepted.rolloutAfter };
}

/** As the machines are that were made last: each is a frozen copy of its template. @param version  that is kept */
export function presentIn(machines: readonly PoolMachine[], version: string): Accepted | undefined {
  const newest = newestOf(machines.filter(({ wantedVersion }) => wantedVersion === version)) ?? newestOf(machines);
  const template = newest && templateIn(newest.object.spec ?? {});
  return template && { template: { ...template, version }, zones: undefined, rolloutAfter: undefined };
}

function templateIn(spec: JsonObject): Template | undefined {
  const { crossplane: _machinery, update: _order, ...own } = spec;
  const read = MachineSpec.safeParse(knownMachineSpec(own));
  if (!read.success) return undefined;
  const { failureDomain: _place, rolloutAfter: _restart, bootstrap, ...rest } = read.data;
  const { action: _action, ...kept } = bootstrap;
  return { ...rest, bootstrap: kept };
}

export function recordOf({ template, zones, rolloutAfter }: Accepted): AcceptedTemplate {
  return {
    template: withoutEmpty(JSON.parse(canonical(template)) as JsonObject),
    ...(zones === undefined ? {} : { zones: [...zones] }),
    ...(rolloutAfter === undefined ? {} : { rolloutAfter }),
  };
}

/** Marks of Nodes and how a Node is drained change at once: no machine is touched for them. */
export const MARKS = ['labels', 'annotations', 'taints', 'drain'] as const;

/** The pool and its Cluster as if the claims still said what was accepted, but for the marks. */
export function asAccepted(
  pool: ReadPool,
  cluster: Cluster,
  { template, zones, rolloutAfter }: Accepted,
): { readonly pool: ReadPool; readonly cluster: Cluster } {
  const { machine, bootstrap, provisioning, infrastructure } = template;
  const { rolloutAfter: _asked, ...update } = pool.spec.update;
  return {
    pool: {
      ...pool,
      spec: {
        ...pool.spec,
        machine: { ...machine, ...(zones === undefined ? {} : { zones: [...zones] }) },
        bootstrap: { config: {} },
        provisioning: PoolProvisioning.parse({}),
        infrastructure: { overrides: infrastructure.overrides },
        update: { ...update, ...(rolloutAfter === undefined ? {} : { rolloutAfter }) },
      },
    },
    cluster: { ...cluster, spec: { ...cluster.spec, bootstrap: { ...bootstrap }, provisioning } },
  };
}
