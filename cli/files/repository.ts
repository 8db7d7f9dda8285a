/** The definitions, Compositions and functions that come with the project. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SlipwayError } from '#lib/api/errors.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { compositeResourceDefinition, customResourceDefinition } from '#lib/api/schema/definition.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { UsageError } from '../exit.ts';
import { BrokenFiles } from './broken.ts';
import { filesAt, readObjects } from './read-objects.ts';
import { accessible } from './texts.ts';

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

/**
 * Every Composition of a folder or, if it has none itself, of the folders in it; by default those of the project. Throws
 * UsageError where there is none.
 */
export function compositions(folder: string = join(ROOT, 'compositions')): readonly KubeObject[] {
  const refuse = (problem: string): UsageError =>
    new UsageError(
      `cannot accept --compositions "${folder}": ${problem}; accepted: a folder with Compositions, or with folders of them`,
    );
  if (!accessible(() => statSync(folder), folder).isDirectory()) throw refuse('it is a file');
  const objectsIn = (one: string): readonly KubeObject[] => {
    try {
      return readObjects(filesAt(one).filter((path) => !basename(path).startsWith('.')));
    } catch (thrown) {
      const inOption = ({ message }: Error): UsageError =>
        new UsageError(`cannot accept --compositions "${folder}": ${message}`);
      if (thrown instanceof BrokenFiles)
        throw new BrokenFiles(thrown.broken.map((one) => ({ ...one, error: inOption(one.error) })));
      throw thrown instanceof UsageError ? inOption(thrown) : thrown;
    }
  };
  const own = objectsIn(folder);
  const ofItself = own.filter(isComposition);
  if (ofItself.length > 0) return ofItself;
  const found = foldersIn(folder).flatMap(objectsIn).filter(isComposition);
  if (found.length > 0) return found;
  const kinds = [...new Set(own.map(({ kind }) => kind))].slice(0, 3).join(', ');
  throw refuse(kinds === '' ? 'no Composition is in it' : `no Composition is in it, only ${kinds}`);
}

const isComposition = ({ kind }: KubeObject): boolean => kind === 'Composition';

/** Hidden ones are those of other programs. */
function foldersIn(folder: string): readonly string[] {
  return accessible(() => readdirSync(folder, { withFileTypes: true }), folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
    .toSorted();
}
