/**
 * Looks for the Secret of one part. It is found absent only when it is known to be: not composed, and asked for by name
 * and not there. What is composed is desired again whatever it holds; what was made and cannot be read is for people to
 * mend – making it again would cut off every node there is.
 */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CLUSTER_UID, clusterLabels, GROUP, LABEL } from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Call } from './bootstrapper.ts';
import { absenceOf, certificateOf, type Part, secretName } from './parts.ts';
import { isAnother, type Origin, recordOf, wasMade, wereMade } from './records.ts';
import { type Data, dataOf } from './secrets.ts';

/**
 * unread: Crossplane was not asked for it yet. absent: never made. going: it is a Cluster's that is being deleted.
 * gone, wrong: a line for people says of which Secret, and what to do.
 */
export type Found =
  | { readonly state: 'stored'; readonly data: Data; readonly origin: Origin }
  | { readonly state: 'unread' | 'absent' | 'going' }
  | { readonly state: 'gone' | 'wrong'; readonly line: string };

/** One part and what became of looking for it. */
export interface Place {
  readonly part: Part;
  readonly found: Found;
}

/** @param authority  the part whose hash the status tells apart from the records */
export function findPart(call: Call<Cluster>, part: Part, authority: Part): Found {
  const { request, reply, composite: cluster } = call;
  const { namespace } = cluster.metadata;
  const name = secretName(cluster.metadata.name, part);
  const asked = reply.require(part.key, { apiVersion: 'v1', kind: 'Secret', namespace, matchName: name });
  const composed = request.observed.resources.get(part.key)?.resource;
  const wanted = { cluster, part, authority, name: `"${namespace}/${name}"` };
  if (composed !== undefined) {
    const found = judged(wanted, composed, 'Made');
    // One that came back from a backup with Crossplane's mark has lost the rest of what it was made with.
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
  /** As messages call the Secret. */
  readonly name: string;
}

/** Ours when the reference to it was lost or it was restored; somebody's own otherwise, and then only read. */
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
  const labelled = existing.metadata?.labels?.[LABEL.cluster] === cluster.metadata.name;
  const handedOver = isHandedOver(existing, cluster);
  const unrecorded = record === undefined && labelled && !handedOver;
  const isOurs = record?.origin === 'Made' || handedOver || (unrecorded && made);
  const found = judged(wanted, existing, isOurs ? 'Made' : 'Supplied');
  if (found.state !== 'stored') return { found };
  if (isOurs) return { found, desired: adopted(existing, cluster) };
  return { found: unrecorded ? { state: 'wrong', line: foreign(wanted) } : found };
}

type Owner = 'this' | 'earlier' | { readonly name: string };

/**
 * Whose controller reference it carries, as far as that is a Cluster of ours; any other owner may supply it. Names of
 * Secrets of two Clusters may meet: that of Talos of "a" is that of the authority of "a-talos".
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

/** As it is, with our labels; immutable from now on, whatever the backup said. */
function adopted(existing: KubeObject, cluster: Cluster): KubeObject {
  const desired = asDesired(existing);
  const labels = { ...desired.metadata?.labels, ...clusterLabels(cluster.metadata.name) };
  return { ...desired, metadata: { ...desired.metadata, labels }, immutable: true };
}

function judged({ cluster, part, authority, name }: Wanted, secret: KubeObject, origin: Origin): Found {
  const data = dataOf(secret);
  // Who starts the cluster needs every key; once it runs, keys of somebody else's may be kept elsewhere.
  const initialized = cluster.status?.controlPlane?.initialized === true;
  const { problem: problemOf } = origin === 'Supplied' && initialized ? certificateOf(part) : part;
  const problem = problemOf(data);
  if (problem !== undefined) return { state: 'wrong', line: `cannot use Secret ${name}: ${problem}` };
  if (!isAnother(cluster, part, data, authority)) return { state: 'stored', data, origin };
  const line = `cannot use Secret ${name}: it is not the ${part.what} this cluster was created with; delete it and restore the original from a backup (docs/restore.md)`;
  return { state: 'wrong', line };
}

function taken({ name }: Wanted, owner: string): string {
  return `cannot use Secret ${name}: it belongs to Cluster "${owner}"; give one of the two Clusters another name`;
}

function foreign({ cluster, name }: Wanted): string {
  const { uid = '' } = cluster.metadata;
  return `cannot use Secret ${name}: it was created for another Cluster of this name; delete it to start with new keys, or annotate it with ${CLUSTER_UID}=${uid} to keep these (docs/restore.md)`;
}
