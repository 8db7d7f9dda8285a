/** The Cluster of a pool, as far as files and observed objects go: it may be in none of them, or be refused. */
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { ownerOf } from './machines.ts';
import { find, isSlipway, nameOf, type PlanWorld } from './world.ts';

/** Of a Cluster that its pool may have misnamed. */
export const ABSENT = 'is in no file';

/** Why nothing is known of the Cluster of the pool, as a sentence without its end; undefined: it is there. */
export function absentCluster(world: PlanWorld, pool: KubeObject): string | undefined {
  const { namespace } = pool.metadata ?? {};
  const { cluster: name } = ownerOf(pool);
  if (find(world, { kind: 'Cluster', namespace, name }) !== undefined) return undefined;
  const { refused = [] } = world;
  const its = `its ${describeObject({ kind: 'Cluster', metadata: { name, ...(namespace === undefined ? {} : { namespace }) } })}`;
  if (refused.some((one) => nameOf(one) === name && one.metadata?.namespace === namespace)) return `${its} is refused`;
  const others = [...world.objects, ...refused].filter((one) => isSlipway(one, 'Cluster'));
  const places = others.map((one) => ({ namespace: one.metadata?.namespace, name: nameOf(one) }));
  return `${its} ${ABSENT}${perhapsMeant({ namespace, name }, places)}`;
}

/** What names the Cluster of a pool. */
export const CLUSTER_REF = 'spec.clusterRef.name';

interface ClusterName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** What was perhaps meant by the name of a Cluster that is not there, after a semicolon; empty: nothing is like it. */
export function perhapsMeant({ namespace, name }: ClusterName, clusters: readonly ClusterName[]): string {
  const beside = clusters.filter((one) => one.namespace === namespace).map((one) => one.name);
  return didYouMean(name, beside) || elsewhere(clusters.filter((one) => one.name === name)) || onlyOf(beside);
}

/** Files of one Cluster and its pools have no other. */
function onlyOf(beside: readonly string[]): string {
  const [only, ...others] = new Set(beside);
  return only === undefined || others.length > 0 ? '' : `; did you mean "${only}", the only Cluster beside it?`;
}

/** The same, where the Cluster of that name is in the files, but in another namespace: such a pool never gets it. */
export function misplaced(world: PlanWorld, pool: KubeObject): string | undefined {
  const { namespace } = pool.metadata ?? {};
  const { cluster: name } = ownerOf(pool);
  const clusters = [...world.objects, ...(world.refused ?? [])].filter((one) => isSlipway(one, 'Cluster'));
  const isBeside = clusters.some(
    (one) => one.metadata?.namespace === namespace && (nameOf(one) === name || didYouMean(name, [nameOf(one)]) !== ''),
  );
  const isElsewhere = clusters.some((one) => nameOf(one) === name && one.metadata?.namespace !== undefined);
  return isElsewhere && !isBeside ? absentCluster(world, pool) : undefined;
}

function elsewhere(clusters: readonly ClusterName[]): string {
  const namespaces = clusters.flatMap(({ namespace }) => namespace ?? []).toSorted();
  if (namespaces.length === 0) return clusters.length === 0 ? '' : NOWHERE;
  return `; there is one in namespace ${namespaces.join(', and one in ')}, but a pool is in that of its Cluster`;
}

const NOWHERE = '; there is one without metadata.namespace, but a pool is in the namespace of its Cluster';
