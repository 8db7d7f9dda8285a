/** What is deleted with claims, in which order, and what is refused. */
import { counted } from '#lib/api/counted.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { HELM_API_VERSION, KUBERNETES_API_VERSION, NODE_API_VERSION } from '#lib/api/words.ts';
import { absence, placeOf } from '../simulate/known.ts';
import type { PlanEntry } from './entry.ts';
import { aboutMachine, ownerOf } from './machines.ts';
import type { Owner } from './resources.ts';
import { composedOf, isGoing, isSlipway, list, nameOf, objectKey, type Ref, type PlanWorld } from './world.ts';

export interface Removal {
  readonly entries: readonly PlanEntry[];
  /** Whether an object is deleted together with the deleted claims. */
  readonly gone: (object: KubeObject) => boolean;
}

/**
 * Deleting a Cluster is refused while it has a remaining pool or asks for protection; pools are deleted before their
 * Clusters. Deleting the pool of a control plane is refused: it is deleted with its Cluster. Throws UnknownSubject for
 * a claim that does not exist. A ref without a namespace means the only object of that name.
 */
export function planDeletions(world: PlanWorld, deleted: readonly Ref[]): Removal {
  const objects = [...new Set(deleted.map((ref) => subject(world, ref)))].toSorted(
    (a, b) => Number(a.kind === 'Cluster') - Number(b.kind === 'Cluster'),
  );
  const refusals = new Map(objects.map((object) => [object, refusalOf(world, object, objects)]));
  const removed = objects.filter((object) => refusals.get(object) === undefined);
  const going = new Set(removed.flatMap((object) => [object, ...composedOf(world, object)]).map(objectKey));
  return {
    entries: objects.flatMap((object) => {
      const refusal = refusals.get(object);
      return refusal === undefined ? removedWith(world, object) : [refused(object, refusal)];
    }),
    gone: (object) => going.has(objectKey(object)),
  };
}

function refusalOf(world: Known, object: KubeObject, deleted: readonly KubeObject[]): string | undefined {
  const reason = whyKept(world, object, deleted);
  return reason === undefined ? undefined : `cannot be deleted: ${reason}`;
}

type Known = Pick<PlanWorld, 'objects'>;

/**
 * Why the API server refuses to delete a claim, in words of its claims; undefined: it does not, as far as objects say.
 * @param deleted  what is deleted before
 */
export function whyKept(world: Known, object: KubeObject, deleted: readonly KubeObject[]): string | undefined {
  if (object.kind === 'NodePool') return isLoneControlPlane(object, deleted) ? controlPlaneRefusal(object) : undefined;
  if (object.kind !== 'Cluster') return undefined;
  if (at(object, 'spec', 'deletionProtection') === true)
    return 'spec.deletionProtection is true; set it to false first';
  const staying = poolsOf(world, object).filter((pool) => !deleted.includes(pool));
  if (staying.length === 0) return undefined;
  const names = staying.map((pool) => `"${nameOf(pool)}" (${machinesOf(world, pool)})`).join(', ');
  const isOne = staying.length === 1;
  if (staying.every(isGoing))
    return `NodePool ${names} ${isOne ? 'is' : 'are'} still being deleted; delete it once ${isOne ? 'that is' : 'they are'} gone`;
  return `NodePool ${names} belong${isOne ? 's' : ''} to it; delete ${isOne ? 'it' : 'them'} first`;
}

function machinesOf(world: Known, pool: KubeObject): string {
  const { length } = composedOf(world, pool).filter((one) => isSlipway(one, 'Machine'));
  return counted(length, 'machine');
}

/** With its Cluster it is deleted like everything that the Cluster composed. */
function isLoneControlPlane(pool: KubeObject, deleted: readonly KubeObject[]): boolean {
  const isControlPlane = stringAt(pool, 'spec', 'role') === 'control-plane';
  return isControlPlane && !deleted.some((one) => one.kind === 'Cluster' && nameOf(one) === ownerOf(pool).cluster);
}

function controlPlaneRefusal(pool: KubeObject): string {
  return `it is the control plane of Cluster "${ownerOf(pool).cluster}"; delete the Cluster instead`;
}

function refused(object: KubeObject, reason: string): PlanEntry {
  return { ...aboutClaim(object), cluster: nameOf(object), field: '', decision: 'Refused', reason };
}

/** The claimed pools of a Cluster. */
function poolsOf(world: Known, cluster: KubeObject): readonly KubeObject[] {
  return list(world, 'NodePool', cluster.metadata?.namespace).filter(
    (pool) => stringAt(pool, 'spec', 'role') !== 'control-plane' && ownerOf(pool).cluster === nameOf(cluster),
  );
}

function subject({ objects }: PlanWorld, { kind, namespace, name }: Ref): KubeObject {
  const same = objects.filter((object) => isSlipway(object, kind) && nameOf(object) === name);
  const [found, ...others] = same.filter(
    (object) => namespace === undefined || object.metadata?.namespace === namespace,
  );
  if (found !== undefined && others.length === 0) return found;
  const nothing = objects.length === 0;
  const cause =
    found === undefined
      ? nothing
        ? 'nothing is known to exist; accepted: with --observed or --context'
        : `not found in the objects of --observed or --context; ${absence({ kind, namespace, name }, objects.filter((object) => isSlipway(object, kind)).map(placeOf))}`
      : 'several objects have this name; accepted: KIND/NAMESPACE/NAME';
  const where = namespace === undefined ? name : `${namespace}/${name}`;
  throw new SlipwayError('UnknownSubject', `cannot plan the deletion of ${kind} "${where}": ${cause}`);
}

/** @param ofCluster  with which it is deleted, and what that waits for */
function removedWith(
  world: PlanWorld,
  object: KubeObject,
  ofCluster?: { readonly blockedBy: string | undefined },
): readonly PlanEntry[] {
  const owner: Owner = object.kind === 'Cluster' ? { cluster: nameOf(object) } : ownerOf(object);
  const goesAlong = object.kind === 'Cluster' || ofCluster !== undefined;
  const reason = `${object.kind} ${nameOf(object)} is deleted`;
  const blockedBy = object.kind === 'Cluster' ? waitsFor(poolsOf(world, object)) : ofCluster?.blockedBy;
  return [object, ...composedOf(world, object)].flatMap((one): readonly PlanEntry[] => {
    if (isSlipway(one, 'NodePool') && one !== object) return removedWith(world, one, { blockedBy });
    const gone = { field: '', decision: 'Drop', ...(blockedBy === undefined ? {} : { blockedBy }) } as const;
    if (isSlipway(one, 'Machine')) {
      const how = goesAlong
        ? { undrained: true, reason: `${reason}; control-plane nodes are not drained` }
        : { reason: `${reason}; its node is drained first` };
      return [{ ...aboutMachine(object, nameOf(one)), ...gone, ...how }];
    }
    if (!isDeletable(one)) return [{ ...aboutClaim(one), ...owner, ...staying(one) }];
    return [{ ...aboutClaim(one), ...owner, ...gone, reason: `${reason}${one === object ? leftBy(one) : ''}` }];
  });
}

/** Controllers in the cluster tag what they create in the cloud; nobody else knows it, and the network waits for it. */
function leftBy({ status }: KubeObject): string {
  const tags = at(status, 'infrastructure', 'tags');
  const own = isJsonObject(tags) ? tags : {};
  const tag = Object.keys(own).find((key) => key.startsWith(TAG_OF_CONTROLLERS) && own[key] === 'owned');
  return tag === undefined
    ? ''
    : `; its network stays until load balancers and volumes that add-ons created are gone: find them by tag ${tag}=owned`;
}

/** A convention of Kubernetes: the name of the tag ends with the id of the cluster. */
const TAG_OF_CONTROLLERS = 'kubernetes.io/cluster/';

function waitsFor(pools: readonly KubeObject[]): string | undefined {
  if (pools.length === 0) return undefined;
  return `NodePool ${pools.map(nameOf).join(', ')}, until the last node is drained`;
}

function staying({ apiVersion }: KubeObject) {
  const reason = `its managementPolicies do not include Delete: ${LEFT[apiVersion] ?? 'it stays in the cloud'}`;
  return { field: '', decision: 'Ignore', reason } as const;
}

/** What stays of an object for a workload cluster, which is in no cloud. */
const LEFT: Readonly<Record<string, string>> = {
  [HELM_API_VERSION]: 'what it installed stays in the cluster',
  [KUBERNETES_API_VERSION]: 'what it installed stays in the cluster',
  [NODE_API_VERSION]: 'its Node stays in the cluster, and is not drained',
};

function isDeletable(object: KubeObject): boolean {
  const policies = at(object, 'spec', 'managementPolicies');
  return !Array.isArray(policies) || policies.some((policy) => policy === '*' || policy === 'Delete');
}

function aboutClaim({ kind, metadata }: KubeObject): Pick<PlanEntry, 'kind' | 'namespace' | 'name'> {
  const { namespace, name = '' } = metadata ?? {};
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}
