/** Tags: those that AWS controllers look for, those of Cluster API, and those of the platform. */
import { nameOf } from './resource.ts';
import type { Site } from './site.ts';

type Tags = Readonly<Record<string, string>>;
export type TagRole =
  'common' | 'public' | 'private' | 'apiserver' | 'apiserver-lb' | 'lb' | 'node' | 'control-plane' | 'controlplane';

/** Tags of every object of the cluster, including machines. */
export function clusterTags(site: Site): Tags {
  return { ...site.input.tags, [ownership(site)]: 'owned', [capa(`cluster/${site.cluster}`)]: 'owned' };
}

/** The tags of one object, named after its object in the cluster. */
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

const named = (site: Site, key: string, role: TagRole): Tags => ({ Name: nameOf(site, key), [capa('role')]: role });
const ownership = (site: Site): string => `kubernetes.io/cluster/${site.cluster}`;
const capa = (name: string): string => `sigs.k8s.io/cluster-api-provider-aws/${name}`;
