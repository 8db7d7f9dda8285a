/** Clusters as their pools see them: by ClusterFacts, which follow only an edit that is accepted. */
import type { KubeObject } from '#lib/api/json.ts';
import { withSpec } from '#lib/fn/claimed-spec.ts';
import { acceptedOf, clusterFacts, FACTS_KIND } from '#lib/fn/cluster-facts.ts';
import { find, isSlipway, nameOf, type PlanWorld, withObjects } from './world.ts';

type World = Pick<PlanWorld, 'objects'>;

/** The world with facts of every Cluster that has none: files rarely hold them, and not everybody may read them. */
export function withFacts<W extends World>(world: W): W {
  const missing = world.objects.filter((one) => isSlipway(one, 'Cluster') && factsOf(world, one) === undefined);
  return withObjects(
    world,
    missing.flatMap((cluster) => factsFor(cluster, undefined, true)),
  );
}

/** The world once the spec of this Cluster is accepted. @param cluster with the status that it gets */
export function withAccepted<W extends World>(world: W, cluster: KubeObject): W {
  return withObjects(world, factsFor(cluster, factsOf(world, cluster), true));
}

/** What functions find: facts with the present status of their Clusters. A Cluster without facts counts as accepted. */
export function findable(world: World): readonly KubeObject[] {
  const clusters = world.objects.filter((one) => isSlipway(one, 'Cluster'));
  return withObjects(
    world,
    clusters.flatMap((one) => {
      const facts = factsOf(world, one);
      return factsFor(one, facts, facts === undefined);
    }),
  ).objects;
}

/** The Cluster with the spec that its pools follow. */
export function acceptedCluster(
  world: World,
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
): KubeObject | undefined {
  const cluster = find(world, { kind: 'Cluster', namespace, name });
  const facts = cluster && factsOf(world, cluster);
  return cluster && withSpec(cluster, acceptedOf(facts));
}

/** With what Crossplane wrote on the object that exists. */
function factsFor(cluster: KubeObject, before: KubeObject | undefined, isAccepted: boolean): readonly KubeObject[] {
  const facts = clusterFacts(cluster, before, isAccepted);
  return facts === undefined ? [] : [{ ...facts, metadata: { ...before?.metadata, ...facts.metadata } }];
}

function factsOf({ objects }: World, cluster: KubeObject): KubeObject | undefined {
  return objects.find(
    ({ apiVersion, kind, metadata }) =>
      apiVersion === FACTS_KIND.apiVersion &&
      kind === FACTS_KIND.kind &&
      metadata?.name === nameOf(cluster) &&
      metadata.namespace === cluster.metadata?.namespace,
  );
}
