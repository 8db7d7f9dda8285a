/** Hosts among the files, none of which the machines of a claim can take: they are in another namespace. */
import { counted } from '#lib/api/counted.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { cloudFieldsOf } from '#clouds/fields.ts';
import type { ClaimedMachines } from './claimed-machines.ts';
import type { PlanWorld } from '../world.ts';

/** Undefined: it takes none, there is one, or there are none at all, since those of the control plane may do. */
export function hostsCaution(
  { objects }: Pick<PlanWorld, 'objects'>,
  { claim, cluster, cloud }: ClaimedMachines,
): string | undefined {
  const isSaid = cluster !== undefined && cluster !== claim;
  if (isSaid || cloudFieldsOf(cloud)?.kind.endsWith('/HostClaim') !== true) return undefined;
  const hosts = objects.filter(({ apiVersion, kind }) => apiVersion === NODE_API_VERSION && kind === 'Host');
  const isBeside = hosts.some(({ metadata }) => metadata?.namespace === claim.metadata?.namespace);
  if (hosts.length === 0 || isBeside) return undefined;
  return `machines of ${describeObject(claim)} take Hosts in its namespace: the files have ${hostPlaces(hosts)}`;
}

/** How many there are, by namespace. */
export function hostPlaces(hosts: readonly KubeObject[]): string {
  const places = Map.groupBy(hosts, ({ metadata }) => metadata?.namespace ?? '');
  return [...places].map(([namespace, all]) => `${counted(all.length, 'Host')} in namespace ${namespace}`).join(', ');
}
