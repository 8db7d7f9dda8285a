/**
 * Secrets that are made once. One is made only when it is known to be absent: not composed, asked for by name
 * and not found, and never recorded as made. One that was made and cannot be read is an error for people to
 * mend – making it again would cut off every node there is.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { LABEL, SECRET_TYPE } from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';

/** A Secret's decoded data. */
export type Data = Readonly<Record<string, string>>;

export interface OnceMade {
  /** Composition resource name. */
  readonly key: string;
  /** Object name. */
  readonly name: string;
  /** Undefined: somebody else supplies it. */
  readonly make: (() => Promise<Data> | Data) | undefined;
  /** Why it is not there, when it must be. */
  readonly absence: string;
  /** Why data that was read cannot be used; undefined when it can. Never quotes the data. */
  readonly problem: (data: Data) => string | undefined;
  /** The same where it is somebody else's. */
  readonly problemOfTheirs: (data: Data) => string | undefined;
}

export interface Kept {
  readonly data: Data;
  /** It exists in the cluster; false when this call makes it. */
  readonly stored: boolean;
}

/** Reads or makes one Secret and desires it. Unread: Crossplane was not asked for it yet. Unsupplied: it is not there, nor ours to make. */
export async function keepSecret(
  request: Request,
  reply: Reply,
  cluster: Cluster,
  once: OnceMade,
): Promise<Kept | 'unread' | 'unsupplied'> {
  const { namespace } = cluster.metadata;
  const asked = reply.require(once.key, { apiVersion: 'v1', kind: 'Secret', namespace, matchName: once.name });
  const composed = request.observed.resources.get(once.key)?.resource;
  if (composed !== undefined) {
    reply.compose(once.key, asDesired(composed), true);
    return { data: read(composed, once, namespace, once.problem), stored: true };
  }
  if (asked === undefined) return 'unread';
  const [existing] = asked;
  if (existing !== undefined) {
    // Ours, when references to it were lost; somebody's own otherwise, and then only read.
    const ours = isControlledBy(existing, cluster);
    if (ours) reply.compose(once.key, asDesired(existing), true);
    return { data: read(existing, once, namespace, ours ? once.problem : once.problemOfTheirs), stored: true };
  }
  if (wasMade(request, cluster))
    throw new SlipwayError('UnreadableSecret', `cannot read Secret "${namespace}/${once.name}": ${once.absence}`);
  if (once.make === undefined) return 'unsupplied';
  const data = await once.make();
  reply.compose(once.key, secretOf(cluster, once.name, data), false);
  return { data, stored: false };
}

/**
 * Whether the cluster's Secrets were made at some time. The status says so; where it was lost, in a restore perhaps, so
 * do what could only come after them: a kubeconfig, or a control plane that came up.
 */
function wasMade({ observed }: Request, { status }: Cluster): boolean {
  const pool = observed.resources.get('control-plane')?.resource;
  return (
    status?.certificates !== undefined ||
    status?.kubeconfigSecretRef !== undefined ||
    status?.controlPlane?.initialized === true ||
    observed.resources.has('kubeconfig') ||
    at(pool, 'status', 'initialized') === true
  );
}

export function secretOf(cluster: Cluster, name: string, data: Data, immutable = true): KubeObject {
  const labels = { [LABEL.clusterName]: cluster.metadata.name, [LABEL.cluster]: cluster.metadata.name };
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: cluster.metadata.namespace, labels },
    type: SECRET_TYPE,
    ...(immutable ? { immutable: true } : {}),
    data: Object.fromEntries(encoded),
  };
}

/** Decoded data of an observed Secret, whatever its keys. */
export function dataOf(secret: KubeObject): Data {
  const data = secret['data'];
  const keys = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  return Object.fromEntries(
    keys.map((key) => [key, Buffer.from(stringAt(data, key) ?? '', 'base64').toString('utf8')]),
  );
}

function read(secret: KubeObject, { name }: OnceMade, namespace: string, problemOf: OnceMade['problem']): Data {
  const data = dataOf(secret);
  const problem = problemOf(data);
  if (problem === undefined) return data;
  throw new SlipwayError('UnreadableSecret', `cannot use Secret "${namespace}/${name}": ${problem}`);
}

function isControlledBy(secret: KubeObject, cluster: Cluster): boolean {
  const owners = secret.metadata?.['ownerReferences'];
  return Array.isArray(owners) && owners.some((owner) => stringAt(owner, 'uid') === cluster.metadata.uid);
}
