/** Kubernetes objects from YAML files, folders and standard input. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, isMap, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { counted } from '#lib/api/counted.ts';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import { show } from '#lib/api/issues.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { UsageError } from '../exit.ts';
import { type Broken, refuseBroken } from './broken.ts';
import { lackOf } from './identity.ts';
import { offsetOf, type Origin, type Place, placeText, sourceOf, STANDARD_INPUT } from './place.ts';
import { isOtherJson, refuseSource } from './sources.ts';
import { accessible, statOf, textOf } from './texts.ts';
import { faultOf, TOO_DEEP } from './yaml-errors.ts';

/** An object, and where it is from. */
export interface Placed extends Origin {
  readonly object: KubeObject;
  /** Its position among the objects of its file: several may be in one line. */
  readonly nth: number;
}

/** The objects of all files, in the order given; of a folder its own YAML and JSON files by name, not those of folders in it. */
export function readObjects(paths: readonly string[]): readonly KubeObject[] {
  return readPlaced(paths).map(({ object }) => object);
}

/** The same, with their places. Throws what is broken of all files together. */
export function readPlaced(paths: readonly string[]): readonly Placed[] {
  const read = readSound(paths);
  refuseBroken(read.broken);
  return read.placed;
}

/** What could be read of files, and what could not. */
export interface Read {
  readonly placed: readonly Placed[];
  readonly broken: readonly Broken[];
}

/** The sound objects of all files, and what is broken beside them. Throws UsageError for a path that gives no file. */
export function readSound(paths: readonly string[]): Read {
  const files = paths.flatMap(filesOf);
  files.forEach(refuseSource);
  return together(files.map(readFile));
}

/** The one object of a file. */
export function readObject(path: string): KubeObject {
  const { placed, broken } = readFile(path);
  refuseBroken(broken);
  const objects = placed.map(({ object }) => object);
  const [object, ...others] = objects;
  if (object !== undefined && others.length === 0) return object;
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata?.name ?? ''}`.trim());
  const which = names.length === 0 || names.length > 3 ? '' : ` (${names.join(', ')})`;
  throw new UsageError(
    `cannot use "${path}": it has ${counted(objects.length, 'object')}${which}; accepted: a file with exactly one`,
  );
}

/** The files that a path stands for, of which a folder has none if it has no file of objects. */
export function filesAt(path: string): readonly string[] {
  if (path === STANDARD_INPUT || !statOf(path).isDirectory()) return [path];
  return accessible(() => readdirSync(path), path)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(path, name))
    .filter((file) => !file.endsWith('.json') || !isOther(file));
}

/** What cannot be read may be an object. */
function isOther(file: string): boolean {
  try {
    return isOtherJson(textOf(file));
  } catch {
    return false;
  }
}

function filesOf(path: string): readonly string[] {
  const files = filesAt(path);
  if (files.length > 0) return files;
  const inside = foldersWithFiles(path);
  throw new UsageError(
    `cannot use folder "${path}": it has no file of objects that ends in .yaml, .yml or .json itself, and folders in it are not read${inside.length === 0 ? '' : `; accepted: ${firstNames(inside, 6)}`}`,
  );
}

/** Folders in a folder that could be given instead. */
function foldersWithFiles(path: string): readonly string[] {
  return accessible(() => readdirSync(path, { withFileTypes: true }), path)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(path, name))
    .filter((folder) => {
      try {
        return filesAt(folder).length > 0;
      } catch {
        return false; // nobody has to be able to read it
      }
    })
    .toSorted();
}

function readFile(path: string): Read {
  return attempted(path, () => {
    const text = textOf(path);
    const lines = new LineCounter();
    const documents = parseAllDocuments(text, { lineCounter: lines, logLevel: 'error' });
    const { placed, broken } = together(
      documents.map((document) => attempted(path, () => readDocument(document, { path, text, lines }))),
    );
    return { placed: placed.map((one, nth) => ({ ...one, nth })), broken };
  });
}

interface Written {
  readonly path: string;
  readonly text: string;
  readonly lines: LineCounter;
}

function readDocument(document: Document.Parsed, { path, text, lines }: Written): Read {
  const placeAt = (offset: number): Place => ({ file: path, line: lines.linePos(offset).line });
  const fault = faultOf(document, text);
  if (fault !== undefined) {
    const place = placeAt(fault.at);
    return broken({ ...place, error: new UsageError(`cannot read "${path}": line ${place.line}: ${fault.said}`) });
  }
  const value: unknown = document.toJS();
  if (value === null || value === undefined) return NOTHING;
  // Comments come before the object that they are about.
  const first = document.contents?.range[0] ?? document.range[0];
  const placed = (object: unknown, root: unknown, begin = first): Read => {
    const origin: Origin = {
      place: placeAt(begin),
      placeOf: (field) => placeAt(offsetOf(document, root, field) ?? begin),
      sourceOf: (field) => sourceOf(document, root, field),
    };
    const lack = lackOf(object, origin);
    return lack === undefined
      ? { placed: [{ object: object as KubeObject, nth: 0, ...origin }], broken: [] }
      : broken(lack);
  };
  const items = itemsOf(value, placeText(placeAt(first)));
  if (items === undefined) return placed(value, document.contents);
  const roots = itemRoots(document);
  return together(items.map((item, i) => placed(item, roots[i], roots[i]?.range[0])));
}

/** @param path  of the file that is broken if something is thrown */
function attempted(path: string, read: () => Read): Read {
  try {
    return read();
  } catch (thrown) {
    const error =
      thrown instanceof SlipwayError ? thrown : new UsageError(`cannot read "${path}": ${unreadable(thrown)}`);
    return broken({ file: path, error });
  }
}

const NOTHING: Read = { placed: [], broken: [] };

function broken(one: Broken): Read {
  return { placed: [], broken: [one] };
}

function together(reads: readonly Read[]): Read {
  return { placed: reads.flatMap((one) => one.placed), broken: reads.flatMap((one) => one.broken) };
}

/** Why the parser gives up on text that it could take apart. */
function unreadable(thrown: unknown): string {
  if (thrown instanceof RangeError) return TOO_DEEP;
  const message = messageOf(thrown);
  return message.includes('alias count') ? 'its aliases refer to each other too often' : message;
}

/** The objects of a list, as `kubectl get -o yaml` prints several; undefined: it is one object. */
function itemsOf(value: unknown, where: string): readonly unknown[] | undefined {
  if (stringAt(value, 'kind')?.endsWith('List') !== true) return undefined;
  const items = at(value, 'items');
  if (Array.isArray(items)) return items;
  if (at(value, 'metadata', 'name') !== undefined) return undefined;
  if (items === null) return [];
  const problem = items === undefined ? 'is required' : `is ${show(items)}`;
  throw new UsageError(`cannot use ${where}: items ${problem}; accepted: a list of Kubernetes objects`);
}

/** The items of a list, as they are written. */
function itemRoots({ contents }: Document.Parsed): readonly Document.Parsed['contents'][] {
  const items: unknown = isMap(contents) ? contents.get('items', true) : undefined;
  return isSeq<Document.Parsed['contents']>(items) ? items.items : [];
}
