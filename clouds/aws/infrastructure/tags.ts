/** Tags: those that AWS controllers look for, those of Cluster API, and those of the platform. */
import { GROUP } from '#lib/api/words.ts';
import { CLUSTER_TAG, OWNER_TAG } from './cluster-id.ts';
import type { Site } from './site.ts';

type Tags = Readonly<Record<string, string>>;
export type TagRole =
  'common' | 'public' | 'private' | 'apiserver' | 'apiserver-lb' | 'lb' | 'node' | 'control-plane' | 'controlplane';

/** Tags of every object of the cluster, including machines. */
export function clusterTags(site: Site): Tags {
  return { ...site.input.tags, ...claimTags(site), [ownership(site)]: 'owned', [`${OWNER_TAG}${site.id}`]: 'owned' };
}

/** The tags of one object, named after its composed resource. */
export function tagsOf(site: Site, key: string, role: TagRole): Tags {
  return { ...clusterTags(site), ...named(site, key, role) };
}

/**
 * Tags without the ownership tag. The cloud provider cannot choose between several security groups of one network
 * interface that have this tag; only the group that it may change has it.
 */
export function unownedTags(site: Site, key: string, role: TagRole): Tags {
  const { [ownership(site)]: _owned, ...rest } = tagsOf(site, key, role);
  return rest;
}

/** Whose the object is, for people who look at the account. Clusters of the first release have none of these. */
function claimTags({ mark, namespace, cluster, input: { managementCluster } }: Site): Tags {
  if (mark !== undefined) return {};
  const claim = { [`${GROUP}/claim`]: `${namespace}/${cluster}` };
  return managementCluster === undefined ? claim : { ...claim, [`${GROUP}/management-cluster`]: managementCluster };
}

const named = ({ id }: Site, key: string, role: TagRole): Tags => ({ Name: `${id}-${key}`, [capa('role')]: role });
const ownership = ({ id }: Site): string => `${CLUSTER_TAG}${id}`;
const capa = (name: string): string => `sigs.k8s.io/cluster-api-provider-aws/${name}`;
