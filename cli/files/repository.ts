/** The definitions, Compositions and functions that come with the project. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SlipwayError } from '#lib/api/errors.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { compositeResourceDefinition, customResourceDefinition } from '#lib/api/schema/definition.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { accessible, readObjects } from './read-objects.ts';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The version of the project. */
export function version(): string {
  return stringAt(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')), 'version') ?? '';
}

/** Folder names under functions/, which are also the tails of the functions' names in Compositions. */
export const FUNCTIONS = [
  'addons',
  'bootstrap',
  'cluster',
  'in-place-update',
  'machine',
  'nodepool',
  'provisioning',
] as const;
export type FunctionFolder = (typeof FUNCTIONS)[number];

/** The name a Composition calls a function by, as Crossplane names it when a Configuration depends on it. */
export function functionName(folder: FunctionFolder): string {
  return `slipway-function-${folder}`;
}

/** The folder of the function that Compositions call by this name. Throws SlipwayError UnknownSubject. */
export function folderOf(name: string): FunctionFolder {
  const found = FUNCTIONS.find((folder) => functionName(folder) === name);
  if (found !== undefined) return found;
  const names = FUNCTIONS.map(functionName);
  throw new SlipwayError(
    'UnknownSubject',
    `cannot find function "${name}": accepted: ${names.join(', ')}, or another with --function NAME=HOST:PORT${didYouMean(name, names)}`,
  );
}

/** The XRDs and the CRDs of provider-node: what the generated files have, which take longer to parse than to make. */
export function definitions(): readonly KubeObject[] {
  return [...COMPOSITES.map(compositeResourceDefinition), ...NODE_KINDS.map(customResourceDefinition)];
}

/** Every Composition below a folder; by default those of the project. */
export function compositions(folder: string = join(ROOT, 'compositions')): readonly KubeObject[] {
  const entries = accessible(() => readdirSync(folder, { withFileTypes: true }), folder);
  const clouds = entries.filter((entry) => entry.isDirectory());
  const folders = clouds.length === 0 ? [folder] : clouds.map(({ name }) => join(folder, name)).toSorted();
  return readObjects(folders).filter(({ kind }) => kind === 'Composition');
}
