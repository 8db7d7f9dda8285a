/** The id of a cluster in AWS, and the names that contain it. Both stay as they were when the cluster was created. */
import { type Json, at, isJsonObject } from '#lib/api/json.ts';
import { joinName, shortHash } from '#lib/api/names.ts';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import type { Situation } from './situation.ts';

/** Controllers of AWS find the objects of a cluster by this tag and the id. */
export const CLUSTER_TAG = 'kubernetes.io/cluster/';

/** Cluster API's, on every object of a cluster. */
export const OWNER_TAG = 'sigs.k8s.io/cluster-api-provider-aws/cluster/';

export interface ClusterID {
  readonly id: string;
  /** Clusters of the first release are called by their name only, and some of their names end with a hash. */
  readonly mark?: string;
}

export function clusterIDOf(situation: Situation): ClusterID {
  const { name, namespace } = situation.cluster.metadata;
  const known = recordedID(situation);
  if (known === name) return { id: name, mark: shortHash([namespace, name], 6) };
  return { id: known ?? newClusterID(situation.composite, situation.input.managementCluster) };
}

/** What AWS says about names of a kind. */
interface NameLimits {
  readonly longest: number;
  /** What no name begins with. */
  readonly reserved?: string;
}

export function cloudName({ id, mark = '' }: ClusterID, part: string, { longest, reserved }: NameLimits): string {
  const isReserved = reserved !== undefined && id.startsWith(reserved);
  return joinName([isReserved ? `c-${id}` : id, part, mark], longest);
}

/** From the status or, when a backup was restored without it, from what exists. */
function recordedID({ previous, observed }: Situation): string | undefined {
  if (previous.infrastructure?.id !== undefined) return previous.infrastructure.id;
  const tags = [
    previous.infrastructure?.tags,
    ...[...observed.values()].map((object) => at(object, 'spec', 'forProvider', 'tags')),
  ];
  return tags.map(idIn).find((id) => id !== undefined);
}

/** Not from the tag of controllers: the platform may tag what clusters share. */
function idIn(tags: Json | undefined): string | undefined {
  if (!isJsonObject(tags)) return undefined;
  const key = Object.keys(tags).find((one) => one.startsWith(OWNER_TAG) && tags[one] === 'owned');
  return key?.slice(OWNER_TAG.length);
}
