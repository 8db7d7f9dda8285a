/**
 * Looks for the Secret of one part. It is absent only if that is known: not composed, and not found when required by
 * name. A composed Secret is desired again whatever it contains. A Secret that was created and cannot be read must be
 * repaired by people: creating it again would cut off every node.
 */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CLUSTER_UID, clusterLabels, CROSSPLANE, GROUP } from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Call } from './bootstrapper.ts';
import { absenceOf, certificateOf, isKeyElsewhere, type Part, secretName } from './parts.ts';
import { isAnother, type Origin, recordOf, wasMade, wereMade, whyNotUsed } from './records.ts';
import { type Data, dataOf } from './secrets.ts';

/**
 * unread: not required yet. absent: never created. going: belongs to a Cluster that is being deleted. gone, wrong: with
 * a message that names the Secret and what to do.
 */
export type Found =
  | { readonly state: 'stored'; readonly data: Data; readonly origin: Origin }
  | { readonly state: 'unread' | 'absent' | 'going' }
  | { readonly state: 'gone' | 'wrong'; readonly line: string };

/** One part and the result of the search. */
export interface Place {
  readonly part: Part;
  readonly found: Found;
}

/** @param authority the part whose hash the status stores separately */
export function findPart(call: Call<Cluster>, part: Part, authority: Part): Found {
  const { request, reply, composite: cluster } = call;
  const { namespace } = cluster.metadata;
  const name = secretName(cluster.metadata.name, part);
  const asked = reply.require(part.key, { apiVersion: 'v1', kind: 'Secret', namespace, matchName: name });
  const composed = request.observed.resources.get(part.key)?.resource;
  const wanted = { cluster, part, authority, name: `"${namespace}/${name}"` };
  if (composed !== undefined) {
    const found = judged(wanted, composed, 'Made');
    // A Secret restored from a backup with the annotation of Crossplane has lost its labels and owner.
    reply.compose(part.key, found.state === 'stored' ? adopted(composed, cluster) : asDesired(composed), true);
    return found;
  }
  if (asked === undefined) return { state: 'unread' };
  const [existing] = asked;
  const made = wereMade(request, cluster);
  if (existing !== undefined) {
    const { found, desired } = notComposed(wanted, existing, made);
    if (desired !== undefined) reply.compose(part.key, desired, true);
    return found;
  }
  if (!wasMade(cluster, part, made)) return { state: 'absent' };
  return { state: 'gone', line: `cannot read Secret ${wanted.name}: ${absenceOf(part)}` };
}

interface Wanted {
  readonly cluster: Cluster;
  readonly part: Part;
  readonly authority: Part;
  /** Name of the Secret in messages. */
  readonly name: string;
}

/**
 * It belongs to the Cluster if the reference to it was lost or if it was restored; otherwise it was supplied, and is
 * only read.
 */
function notComposed(
  wanted: Wanted,
  existing: KubeObject,
  made: boolean,
): { readonly found: Found; readonly desired?: KubeObject } {
  const { cluster, part } = wanted;
  const owner = ownerOf(existing, cluster);
  if (owner === 'this') return { found: judged(wanted, existing, 'Made'), desired: asDesired(existing) };
  if (owner === 'earlier') return { found: { state: 'going' } };
  if (owner !== undefined) return { found: { state: 'wrong', line: taken(wanted, owner.name) } };
  const record = recordOf(cluster, part);
  const handedOver = isHandedOver(existing, cluster);
  const forbidden = handedOver ? undefined : whyNotUsed(cluster, part, existing);
  if (forbidden !== undefined)
    return { found: { state: 'wrong', line: `cannot use Secret ${wanted.name}: ${forbidden}` } };
  const left = record === undefined && !handedOver && wasComposed(existing);
  const isOurs = record?.origin === 'Made' || handedOver || (left && made);
  const found = judged(wanted, existing, isOurs ? 'Made' : 'Supplied');
  if (found.state !== 'stored') return { found };
  if (isOurs) return { found, desired: adopted(existing, cluster) };
  return { found: left ? { state: 'wrong', line: foreign(wanted) } : found };
}

type Owner = 'this' | 'earlier' | { readonly name: string };

/**
 * The Cluster in its controller reference, if any; any other owner may supply it. Secret names of two Clusters can
 * collide: the Talos Secret of "a" has the name of the authority of "a-talos".
 */
function ownerOf({ metadata }: KubeObject, { metadata: { uid, name } }: Cluster): Owner | undefined {
  const owners: unknown = metadata?.['ownerReferences'];
  const list: readonly unknown[] = Array.isArray(owners) ? owners : [];
  if (list.some((owner) => stringAt(owner, 'uid') === uid)) return 'this';
  const cluster = list.find(isCluster);
  if (cluster === undefined) return undefined;
  const theirs = stringAt(cluster, 'name') ?? '';
  return theirs === name ? 'earlier' : { name: theirs };
}

function isCluster(owner: unknown): boolean {
  return stringAt(owner, 'kind') === 'Cluster' && stringAt(owner, 'apiVersion')?.startsWith(`${GROUP}/`) === true;
}

function isHandedOver({ metadata }: KubeObject, cluster: Cluster): boolean {
  const uid = metadata?.annotations?.[CLUSTER_UID];
  return uid !== undefined && uid === cluster.metadata.uid;
}

/** For a Cluster, this one or an earlier one: whoever supplies a Secret may label it, but only Crossplane marks it so. */
function wasComposed({ metadata: { annotations } = {} }: KubeObject): boolean {
  return annotations?.[CROSSPLANE.compositionResourceName] !== undefined || annotations?.[CLUSTER_UID] !== undefined;
}

/** Unchanged, with our labels; immutable from now on, whatever the backup said. */
function adopted(existing: KubeObject, cluster: Cluster): KubeObject {
  const desired = asDesired(existing);
  const labels = { ...desired.metadata?.labels, ...clusterLabels(cluster.metadata.name) };
  return { ...desired, metadata: { ...desired.metadata, labels }, immutable: true };
}

function judged({ cluster, part, authority, name }: Wanted, secret: KubeObject, origin: Origin): Found {
  const data = dataOf(secret);
  // The machine that starts the cluster needs every key; after that, supplied keys may be stored elsewhere. A key that
  // is there is used, so it must be one.
  const initialized = cluster.status?.controlPlane?.initialized === true;
  const elsewhere = origin === 'Supplied' && initialized && isKeyElsewhere(part, data);
  const { problem: problemOf } = elsewhere ? certificateOf(part) : part;
  const problem = problemOf(data);
  if (problem !== undefined) {
    const isForElse = origin === 'Supplied' && Object.keys(data).length > 0 && problem === part.problem({});
    const instead = isForElse ? forElse(part) : '';
    return { state: 'wrong', line: `cannot use Secret ${name}: ${problem}${instead}` };
  }
  if (!isAnother(cluster, part, data, authority)) return { state: 'stored', data, origin };
  const line = `cannot use Secret ${name}: it is not the ${part.what} this cluster was created with; delete it and restore the original from a backup (docs/restore.md)`;
  return { state: 'wrong', line };
}

/** It has nothing of the part: <cluster>-proxy may be for an HTTP proxy. */
function forElse({ make, what }: Part): string {
  return make === undefined ? '' : `; the ${what} of the cluster has this name: rename a Secret for something else`;
}

function taken({ name }: Wanted, owner: string): string {
  return `cannot use Secret ${name}: it belongs to Cluster "${owner}"; give one of the two Clusters another name`;
}

function foreign({ name }: Wanted): string {
  return `cannot use Secret ${name}: it was created for an earlier Cluster of this name; delete it to start with new keys, or set its annotation ${CLUSTER_UID} to metadata.uid of this Cluster to keep these (docs/restore.md)`;
}
