/** The example of a cloud at its smallest: a Cluster with one control-plane machine, and one pool. */
import { join } from 'node:path';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';

export const CLUSTER = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster', namespace: 'team-a', name: 'prod' };
export const POOL = { ...CLUSTER, kind: 'NodePool', name: 'prod-general' };

/** @param flavour  folder of the example @param asked  of the pool, such as replicas and machine */
export function onePool(flavour: string, asked: JsonObject): readonly KubeObject[] {
  return readObjects([join(ROOT, 'examples', flavour)]).flatMap((claim): readonly KubeObject[] => {
    const { controlPlane, ...rest } = claim.spec ?? {};
    if (claim.kind === 'Cluster')
      return [{ ...claim, spec: { ...rest, controlPlane: { ...(controlPlane as JsonObject), replicas: 1 } } }];
    if (claim.kind !== 'NodePool' || claim.metadata?.name !== POOL.name) return [];
    return [{ ...claim, spec: { ...rest, ...asked } }];
  });
}
