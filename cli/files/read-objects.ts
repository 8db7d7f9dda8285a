/** Kubernetes objects from YAML files, folders and standard input. */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, isMap, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { counted } from '#lib/api/counted.ts';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import { show } from '#lib/api/issues.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { systemCause, UsageError } from '../exit.ts';
import { ofOtherProject } from './other-projects.ts';
import { offsetOf, type Place, placesText, placeText, STANDARD_INPUT } from './place.ts';
import { isOtherJson, refuseName, refuseSource } from './sources.ts';
import { faultOf, TOO_DEEP } from './yaml-errors.ts';

/** Bytes of one file: objects of thousands of machines fit, a disk image given by mistake does not. */
const LARGEST = 256 * 1024 * 1024;

/** An object, and where it is from. */
export interface Placed {
  readonly object: KubeObject;
  readonly place: Place;
  /** The place of a field, or where it is left out, of what is around it. */
  readonly placeOf: (path: readonly (string | number)[]) => Place;
}

/** The objects of all files, in the order given; of a folder its own YAML and JSON files by name, not those of folders in it. */
export function readObjects(paths: readonly string[]): readonly KubeObject[] {
  return readPlaced(paths).map(({ object }) => object);
}

/** The same, with their places. */
export function readPlaced(paths: readonly string[]): readonly Placed[] {
  const files = paths.flatMap(filesOf);
  files.forEach(refuseSource);
  return files.flatMap(readFile);
}

/** The one object of a file. */
export function readObject(path: string): KubeObject {
  const [object, ...others] = readFile(path).map((placed) => placed.object);
  if (object !== undefined && others.length === 0) return object;
  throw new UsageError(
    `cannot use "${path}": it has ${counted(others.length + (object === undefined ? 0 : 1), 'object')}; accepted: exactly one`,
  );
}

/** The files that a path stands for, of which a folder has none if it has no file of objects. */
export function filesAt(path: string): readonly string[] {
  if (path === STANDARD_INPUT || !statOf(path).isDirectory()) return [path];
  return accessible(() => readdirSync(path), path)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(path, name))
    .filter((file) => !file.endsWith('.json') || !isOtherJson(textOf(file)));
}

function statOf(path: string): Stats {
  refuseName(path);
  return accessible(() => statSync(path), path);
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

function readFile(path: string): readonly Placed[] {
  const text = textOf(path);
  const lines = new LineCounter();
  try {
    return parseAllDocuments(text, { lineCounter: lines }).flatMap((document) => {
      const fault = faultOf(document, text);
      if (fault !== undefined)
        throw new UsageError(`cannot read "${path}": line ${lines.linePos(fault.at).line}: ${fault.said}`);
      const value: unknown = document.toJS();
      if (value === null || value === undefined) return [];
      const placeAt = (offset: number): Place => ({ file: path, line: lines.linePos(offset).line });
      // Comments come before the object that they are about.
      const first = document.contents?.range[0] ?? document.range[0];
      const placed = (object: unknown, root: unknown, begin = first): Placed => {
        const place = placeAt(begin);
        const placeOf = (field: readonly (string | number)[]): Place =>
          placeAt(offsetOf(document, root, field) ?? begin);
        return { object: checked(object, place, placeOf), place, placeOf };
      };
      const items = itemsOf(value, placeText(placeAt(first)));
      if (items === undefined) return [placed(value, document.contents)];
      const roots = itemRoots(document);
      return items.map((item, i) => placed(item, roots[i], roots[i]?.range[0]));
    });
  } catch (thrown) {
    if (thrown instanceof SlipwayError) throw thrown;
    throw new UsageError(`cannot read "${path}": ${unreadable(thrown)}`);
  }
}

/** Why the parser gives up on text that it could take apart. */
function unreadable(thrown: unknown): string {
  if (thrown instanceof RangeError) return TOO_DEEP;
  const message = messageOf(thrown);
  return message.includes('alias count') ? 'its aliases refer to each other too often' : message;
}

/** Standard input can be read once only. */
let input: string | undefined;

function textOf(path: string): string {
  if (path === STANDARD_INPUT) return (input ??= decoded(0, path));
  const { size } = statOf(path);
  if (size > LARGEST)
    throw new UsageError(
      `cannot read "${path}": it has ${Math.round(size / 1024 / 1024)} MiB; accepted: at most ${LARGEST / 1024 / 1024} MiB`,
    );
  return decoded(path, path);
}

/** What UTF-16 begins with, in either order of bytes. */
const UTF16_MARKS: ReadonlySet<string> = new Set(['fffe', 'feff']);

/** @param source  file, or number of an open one @param path  as it was given */
function decoded(source: string | number, path: string): string {
  const bytes = accessible(() => readFileSync(source), path);
  // Files that were put together have a mark before each of them.
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8').replaceAll(/^\uFEFF/gm, '');
  const isUtf16 = UTF16_MARKS.has(bytes.toString('hex', 0, 2));
  const problem = isUtf16 ? 'it is text in UTF-16, as older PowerShells write it' : 'it is no text';
  throw new UsageError(`cannot read "${path}": ${problem}; accepted: YAML in UTF-8`);
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

function checked(value: unknown, place: Place, placeOf: Placed['placeOf']): KubeObject {
  const where = placeText(place);
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) {
    const found = at(value, ...path);
    if (isJsonObject(value) && typeof found === 'string') continue;
    // Configuration of programs has no name, such as that of kubeadm.
    if (found === undefined && path.length > 1 && ofOtherProject(value as KubeObject) !== undefined) continue;
    if (typeof found === 'number' || typeof found === 'boolean') throw unquoted(value, path, found, placeOf(path));
    const problem = found === undefined || found === null ? 'is required' : `is ${JSON.stringify(found)}`;
    throw new UsageError(
      `cannot use ${where}: ${path.join('.')} ${problem}; accepted: Kubernetes objects, with ${path.join('.')} as text`,
    );
  }
  return value as KubeObject;
}

/** YAML reads 1 as a number and "1" as a text. Of a claim it is refused as every other field of it is. */
function unquoted(value: unknown, path: readonly string[], found: number | boolean, place: Place): SlipwayError {
  const field = path.join('.');
  const said = `${field}: ${found} is not accepted; accepted: a string in quotes: ${path.at(-1) ?? field}: "${found}"`;
  const [kind, apiVersion] = [stringAt(value, 'kind'), stringAt(value, 'apiVersion')];
  const isOfClaim = field === 'metadata.name' && apiVersion === API_VERSION && kind !== undefined;
  if (!isOfClaim) return new UsageError(`cannot use ${placeText(place)}: ${said}`);
  const namespace = stringAt(value, 'metadata', 'namespace');
  const name = `${namespace === undefined ? '' : `${namespace}/`}${found}`;
  return new SlipwayError('InvalidClaim', `cannot accept ${kind} "${name}": ${said}`, { hint: placesText([place]) });
}

/** What a path gives. Throws UsageError where it cannot be read or written, in plain words. */
export function accessible<T>(access: () => T, path: string, verb: 'read' | 'write' = 'read'): T {
  try {
    return access();
  } catch (thrown) {
    throw new UsageError(`cannot ${verb} "${path}": ${systemCause(thrown) ?? messageOf(thrown)}`);
  }
}
