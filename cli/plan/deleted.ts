/** The claims that a plan deletes, as given on the command line. */
import { existsSync } from 'node:fs';
import type { KubeObject } from '#lib/api/json.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { UsageError } from '../exit.ts';
import { refuseMisspelt } from '../files/misspelt.ts';
import { readObjects } from '../files/read-objects.ts';
import { isClaim } from './plan-claims.ts';
import { nameOf, type Ref } from './world.ts';

const KINDS = new Set(['Cluster', 'NodePool']);

/** `KIND/NAME`, `KIND/NAMESPACE/NAME`, or a file or folder: every claim in it. */
export function parseRefs(text: string): readonly Ref[] {
  const [kind = '', ...rest] = text.split('/');
  const [name, namespace] = rest.toReversed();
  if (KINDS.has(kind) && name !== undefined && name !== '' && rest.length <= 2) return [{ kind, namespace, name }];
  if (existsSync(text))
    return claimsIn(text).map((claim) => ({
      kind: claim.kind,
      namespace: claim.metadata?.namespace,
      name: nameOf(claim),
    }));
  throw new UsageError(
    `cannot accept --delete "${text}": accepted: a Cluster or NodePool as KIND/NAME or KIND/NAMESPACE/NAME, such as NodePool/prod-memory, or a file or folder with claims${didYouMean(kind, KINDS)}`,
  );
}

function claimsIn(path: string): readonly KubeObject[] {
  const objects = readObjects([path]);
  refuseMisspelt(objects, 'delete');
  return objects.filter(isClaim);
}
