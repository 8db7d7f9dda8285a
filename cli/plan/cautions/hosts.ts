/** Hosts among the files, none of which the machines of a claim can take: they are in another namespace. */
import { counted } from '#lib/api/counted.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { cloudFieldsOf } from '#clouds/fields.ts';
import type { ClaimedMachines } from './claimed-machines.ts';
import type { PlanWorld } from '../world.ts';

/** Undefined: it takes none, there is one, or there are none at all, since those of the control plane may do. */
export function hostsCaution(world: Pick<PlanWorld, 'objects'>, machines: ClaimedMachines): string | undefined {
  const { claim, cluster } = machines;
  const isSaid = cluster !== undefined && cluster !== claim;
  const hosts = hostsFor(world, machines);
  if (isSaid || hosts.length === 0 || hostsBeside(world, machines).length > 0) return undefined;
  return `machines of ${describeObject(claim)} take Hosts in its namespace: the files have ${hostPlaces(hosts)}`;
}

/** Those that its machines may take. */
export function hostsBeside(world: Pick<PlanWorld, 'objects'>, machines: ClaimedMachines): readonly KubeObject[] {
  const { namespace } = machines.claim.metadata ?? {};
  return hostsFor(world, machines).filter(({ metadata }) => metadata?.namespace === namespace);
}

/** All that are known, if its machines take Hosts. */
function hostsFor({ objects }: Pick<PlanWorld, 'objects'>, { cloud }: ClaimedMachines): readonly KubeObject[] {
  if (cloudFieldsOf(cloud)?.kind.endsWith('/HostClaim') !== true) return [];
  return objects.filter(({ apiVersion, kind }) => apiVersion === NODE_API_VERSION && kind === 'Host');
}

/** How many there are, by namespace. */
export function hostPlaces(hosts: readonly KubeObject[]): string {
  const places = Map.groupBy(hosts, ({ metadata }) => metadata?.namespace);
  return [...places]
    .map(([namespace, all]) => {
      const where = namespace === undefined ? 'without metadata.namespace' : `in namespace ${namespace}`;
      return `${counted(all.length, 'Host')} ${where}`;
    })
    .join(', ');
}
