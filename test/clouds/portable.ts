/** The portable claims, with the overlay of a flavour and perhaps under other names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';

const FOLDER = join(ROOT, 'examples/portable');

/** The flavours that there is an overlay for. */
export const FLAVOURS: readonly string[] = readdirSync(join(FOLDER, 'overlays')).toSorted();

/** The claims without an overlay. */
export const BASE: readonly KubeObject[] = readObjects(
  ['cluster.yaml', 'node-pools.yaml'].map((name) => join(FOLDER, 'base', name)),
);

/** The operations of an overlay, which kustomize applies to every claim. */
export function operationsOf(overlay: string): readonly JsonObject[] {
  const file = join(FOLDER, 'overlays', overlay, 'kustomization.yaml');
  const [patch] = at(parse(readFileSync(file, 'utf8')) as Json, 'patches') as readonly Json[];
  return JSON.parse(stringAt(patch, 'patch') ?? '[]') as readonly JsonObject[];
}

/** The claims with an overlay. */
export function portableClaims(overlay: string): readonly KubeObject[] {
  const crossplane = operationsOf(overlay)[0]?.['value'];
  return BASE.map((claim) => ({ ...claim, spec: { ...claim.spec, crossplane } }));
}

/** What the owners of hosts have written before anybody claims them. */
export function writtenBefore(flavour: string): readonly KubeObject[] {
  const file = join(ROOT, 'examples', flavour, 'hosts.yaml');
  return existsSync(file) ? readObjects([file]) : [];
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
