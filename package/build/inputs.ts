/**
 * What packages were built from: every file of the repository that a bundle, a list of objects or the builder itself
 * read, with its hash. A checkout changes the times of files, so those say nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { canonical } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { CATALOG } from './catalog.ts';

/** SHA-256 by path, relative to the repository. */
export type Inputs = Readonly<Record<string, string>>;

/** In the folder of the packages. */
export const INPUTS_FILE = 'inputs.json';

/** The builder, and what says which libraries and which Node are in the images. */
const ALWAYS = ['package/build', 'package.json', 'package-lock.json'] as const;

/** @param modules  paths of what the bundles read; libraries are left out, because the lock file has their hashes */
export function inputsOf(root: string, modules: readonly string[]): Inputs {
  const own = modules.map((path) => relative(root, path)).filter((path) => !/^\.\.|(^|\/)node_modules\//.test(path));
  const carried = CATALOG.flatMap(({ folder, content }) => [join(folder, 'crossplane.yaml'), ...content]);
  const files = [...carried, ...ALWAYS].flatMap((path) => filesAt(root, path)).filter((path) => !isTest(path));
  const sorted = [...new Set([...own, ...files])].toSorted();
  return Object.fromEntries(sorted.map((path) => [path, sha256(readFileSync(join(root, path)))]));
}

/**
 * @param out  folder of the packages
 * @returns what is different now from what they were built from, in a few words; undefined: nothing
 */
export function changedSince(root: string, out: string): string | undefined {
  const file = join(out, INPUTS_FILE);
  if (!existsSync(file)) return 'it does not say what they were built from';
  const then = JSON.parse(readFileSync(file, 'utf8')) as Inputs;
  const gone = Object.keys(then).filter((path) => !existsSync(join(root, path)));
  const now = inputsOf(
    root,
    Object.keys(then)
      .filter((path) => !gone.includes(path))
      .map((path) => join(root, path)),
  );
  const changed = [...gone, ...Object.keys(now).filter((path) => now[path] !== then[path])].toSorted();
  if (changed.length === 0) return undefined;
  const [first = '', ...others] = changed;
  return `${first} ${others.length === 0 ? 'has' : `and ${others.length} more have`} changed since`;
}

export function inputsText(inputs: Inputs): string {
  return `${canonical(inputs)}\n`;
}

function filesAt(root: string, path: string): readonly string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesAt(root, join(path, name)));
}

function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path);
}
