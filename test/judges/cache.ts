/** Where judges live between runs: below .cache, never in the repository, since they are other projects' work. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export const CACHE = resolve(import.meta.dirname, '../../.cache/judges');

/** A judge, or why there is none – printed by the test that is skipped for it. */
export type Found = { readonly path: string } | { readonly missing: string };

/** A file of the cache; `npm run judges` puts it there. */
export function cached(...parts: readonly string[]): Found {
  const path = resolve(CACHE, ...parts);
  return existsSync(path) ? { path } : { missing: `${parts.join('/')} is not in .cache/judges; run: npm run judges` };
}
