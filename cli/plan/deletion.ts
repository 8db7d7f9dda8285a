/** What goes when claims are deleted: their machines, and of a Cluster everything it composed. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { aboutMachine, ownerOf } from './machines.ts';
import type { Owner } from './resources.ts';
import { composedOf, isSlipway, nameOf, type Ref, type World } from './world.ts';

export interface Removal {
  readonly entries: readonly PlanEntry[];
  /** Whether an object goes with what is deleted. */
  readonly gone: (object: KubeObject) => boolean;
}

/** Throws UnknownSubject for a claim that is not there. A ref without a namespace means the one of that name. */
export function planDeletions(world: World, deleted: readonly Ref[]): Removal {
  const objects = deleted.map((ref) => subject(world, ref));
  const going = new Set(objects.flatMap((object) => [object, ...composedOf(world, object)]).map(keyOf));
  return { entries: objects.flatMap((object) => removed(world, object)), gone: (object) => going.has(keyOf(object)) };
}

function subject({ objects }: World, { kind, namespace, name }: Ref): KubeObject {
  const same = objects.filter((object) => isSlipway(object, kind) && nameOf(object) === name);
  const [found, ...others] = same.filter(
    (object) => namespace === undefined || object.metadata?.namespace === namespace,
  );
  if (found !== undefined && others.length === 0) return found;
  const cause = found === undefined ? 'not found' : 'there are several; accepted: KIND/NAMESPACE/NAME';
  throw new SlipwayError('UnknownSubject', `cannot plan the deletion of ${kind} "${name}": ${cause}`);
}

function removed(world: World, object: KubeObject): readonly PlanEntry[] {
  const owner: Owner = object.kind === 'Cluster' ? { cluster: nameOf(object) } : ownerOf(object);
  const composed = composedOf(world, object);
  const { namespace } = object.metadata ?? {};
  const reason = `${object.kind} ${nameOf(object)} is deleted`;
  return [object, ...composed].flatMap((one): readonly PlanEntry[] => {
    if (isSlipway(one, 'NodePool') && one !== object) return removed(world, one);
    const gone = { field: '', decision: 'Drop', reason } as const;
    if (isSlipway(one, 'Machine')) return [{ ...aboutMachine(object, nameOf(one)), ...gone }];
    const about = { kind: one.kind, ...(namespace === undefined ? {} : { namespace }), name: nameOf(one) };
    return [{ ...about, ...owner, ...gone }];
  });
}

function keyOf({ apiVersion, kind, metadata }: KubeObject): string {
  return [apiVersion, kind, metadata?.namespace ?? '', metadata?.name].join('|');
}
