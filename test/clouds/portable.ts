/** The portable claims, with the overlay of a flavour and perhaps under other names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';

const FOLDER = join(ROOT, 'examples/portable');

/** The flavours that there is an overlay for. */
export const FLAVOURS: readonly string[] = readdirSync(join(FOLDER, 'overlays')).toSorted();

/** The claims with the patch of an overlay, which kustomize applies to every claim. */
export function portableClaims(overlay: string): readonly KubeObject[] {
  const base = readObjects(['cluster.yaml', 'node-pools.yaml'].map((name) => join(FOLDER, 'base', name)));
  const file = join(FOLDER, 'overlays', overlay, 'kustomization.yaml');
  const [patch] = at(parse(readFileSync(file, 'utf8')) as Json, 'patches') as readonly Json[];
  const [operation] = JSON.parse(stringAt(patch, 'patch') ?? '[]') as readonly JsonObject[];
  const crossplane = operation?.['value'];
  return base.map((claim) => ({ ...claim, spec: { ...claim.spec, crossplane } }));
}

/** As long as names may be: of a namespace, and of a cluster, whose control plane has machines with names of hosts. */
const NAMESPACE = 'n'.repeat(63);
const CLUSTER = 'c'.repeat(63 - '-control-plane-1999-xxxxx'.length);

/** The claims under the longest names. */
export function longest(claims: readonly KubeObject[]): readonly KubeObject[] {
  return claims.map((claim) => {
    const name = claim.kind === 'Cluster' ? CLUSTER : `${CLUSTER}${claim.metadata?.name?.slice('prod'.length) ?? ''}`;
    const clusterRef = claim.kind === 'Cluster' ? {} : { clusterRef: { name: CLUSTER } };
    return {
      ...claim,
      metadata: { ...claim.metadata, name, namespace: NAMESPACE },
      spec: { ...claim.spec, ...clusterRef },
    };
  });
}
