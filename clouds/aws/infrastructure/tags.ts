/** Tags: the ones AWS' own controllers look for, Cluster API's, and the platform's. */
import { nameOf } from './resource.ts';
import type { Site } from './site.ts';

type Tags = Readonly<Record<string, string>>;
export type TagRole =
  'common' | 'public' | 'private' | 'apiserver' | 'apiserver-lb' | 'lb' | 'node' | 'control-plane' | 'controlplane';

/** What every object of the cluster carries, machines included. */
export function clusterTags(site: Site): Tags {
  return { ...site.input.tags, [ownership(site)]: 'owned', [capa(`cluster/${site.cluster}`)]: 'owned' };
}

/** The tags of one object, named after its object in the cluster. */
export function tagsOf(site: Site, key: string, role: TagRole): Tags {
  return { ...clusterTags(site), ...named(site, key, role) };
}

/**
 * Without the mark of ownership. The cloud provider refuses to choose when several security groups of one
 * network interface carry it; only the group it may change itself does.
 */
export function unownedTags(site: Site, key: string, role: TagRole): Tags {
  const { [ownership(site)]: _owned, ...rest } = tagsOf(site, key, role);
  return rest;
}

const named = (site: Site, key: string, role: TagRole): Tags => ({ Name: nameOf(site, key), [capa('role')]: role });
const ownership = (site: Site): string => `kubernetes.io/cluster/${site.cluster}`;
const capa = (name: string): string => `sigs.k8s.io/cluster-api-provider-aws/${name}`;
