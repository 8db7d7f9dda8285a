/**
 * Where validators are stored between runs: below .cache, never in the repository, because they belong to other
 * projects.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export const CACHE = resolve(import.meta.dirname, '../../.cache/judges');

/** A validator, or why it is missing, which is printed by the skipped test. */
export type Found = { readonly path: string } | { readonly missing: string };

/** A file of the cache; `npm run judges` creates it. */
export function cached(...parts: readonly string[]): Found {
  const path = resolve(CACHE, ...parts);
  return existsSync(path) ? { path } : { missing: `${parts.join('/')} is not in .cache/judges; run: npm run judges` };
}
