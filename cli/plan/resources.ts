/** How an edit changes composed objects other than machines, from what is desired with it and without it. */
import type { Json, KubeObject } from '#lib/api/json.ts';
import { shownChange } from '#lib/api/shown.ts';
import { FACTS_KIND } from '#lib/fn/cluster-facts.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Rendered } from '#simulator/render/render-once.ts';
import { differences, formatPath } from './difference.ts';
import type { PlanEntry } from './entry.ts';
import { isSlipway, nameOf } from './world.ts';

/** The Cluster or pool that the objects belong to. */
export interface Owner {
  readonly cluster: string;
  readonly pool?: string;
}

/** @param before what is desired without the edit; undefined: the claim is new, everything is created */
export function resourceEntries(before: Rendered | undefined, after: Rendered, owner: Owner): readonly PlanEntry[] {
  const [old, now] = [byKey(before?.composed ?? []), byKey(after.composed)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .toSorted()
    .flatMap((key) => changed(old.get(key), now.get(key), owner));
}

/** Machines and pools have plans of their own, and the facts of a Cluster repeat its claim. */
function byKey(composed: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  const others = composed.filter(
    (one) => !isSlipway(one, 'Machine') && !isSlipway(one, 'NodePool') && one.kind !== FACTS_KIND.kind,
  );
  return new Map(
    others.map((one) => [
      `${one.kind}/${one.metadata?.annotations?.[CROSSPLANE.compositionResourceName] ?? nameOf(one)}`,
      one,
    ]),
  );
}

function changed(old: KubeObject | undefined, now: KubeObject | undefined, owner: Owner): readonly PlanEntry[] {
  const object = now ?? old;
  if (object === undefined) return [];
  const { namespace } = object.metadata ?? {};
  const about = {
    kind: object.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name: nameOf(object),
    ...owner,
  };
  if (old === undefined) return [{ ...about, field: '', decision: 'Create', reason: 'it does not exist yet' }];
  if (now === undefined) return [{ ...about, field: '', decision: 'Drop', reason: 'it is no longer desired' }];
  return differences(comparable(old), comparable(now)).map(({ path, old, new: value }) => {
    return {
      ...about,
      field: formatPath(path),
      ...shownChange({ old, new: value }, path, object),
      decision: 'Patch',
      reason: 'its provider changes it',
    };
  });
}

/** What a step sets on the object; of metadata only labels and annotations. */
function comparable({ metadata, ...rest }: KubeObject): Json {
  const { labels = {}, annotations = {} } = metadata ?? {};
  return { ...rest, metadata: { labels, annotations } };
}
