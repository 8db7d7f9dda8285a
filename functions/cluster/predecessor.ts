/**
 * What a Cluster of the same name left behind and is still being deleted. Its objects have the names that the new Cluster
 * gives its own: rules of the new one in a security group of the old one would keep both for ever.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { controllerUid } from '#lib/api/owner.ts';
import { atMostThree } from '#lib/api/shortened.ts';
import { LABEL } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Situation } from './situation.ts';

/**
 * What the Cluster waits for before it composes anything; undefined: nothing. It is only asked for before the first
 * object of the Cluster exists. Crossplane calls again once it has the lists.
 */
export function awaitPredecessor(
  reply: Reply,
  { cluster, composite, observed }: Situation,
  planned: ReadonlyMap<string, KubeObject>,
): string | undefined {
  if ([...planned.keys()].some((key) => observed.has(key))) return undefined;
  const { name, namespace } = cluster.metadata;
  const names = new Set([...planned.values()].map(idOf));
  const kinds = new Map(
    [...planned.values()].map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]),
  );
  const found = [...kinds].flatMap(([id, kind]) => {
    const selector = { ...kind, namespace, matchLabels: { [LABEL.cluster]: name } };
    return reply.require(`predecessor ${id}`, selector) ?? [];
  });
  const others = found.filter((object) => names.has(idOf(object)) && isOfAnother(object, composite.metadata?.uid));
  if (others.length === 0) return undefined;
  const shown = others.map(({ kind, metadata }) => `${kind} ${metadata?.name ?? ''}`).toSorted();
  return `waiting for the deletion of what another Cluster of this name had: ${atMostThree(shown)}`;
}

function idOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion}/${kind}/${metadata?.name ?? ''}`;
}

function isOfAnother(object: KubeObject, uid: string | undefined): boolean {
  const controller = controllerUid(object);
  return controller !== undefined && controller !== uid;
}
