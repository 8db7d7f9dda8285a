/** Kubernetes objects from YAML files and folders. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseAllDocuments } from 'yaml';
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { UsageError } from '../exit.ts';

/** The objects of all files, in the order given; of a folder its own YAML files by name, not those of folders in it. */
export function readObjects(paths: readonly string[]): readonly KubeObject[] {
  return paths.flatMap((path) => filesOf(path).flatMap(readFile));
}

/** The one object of a file. */
export function readObject(path: string): KubeObject {
  const [object, ...others] = readFile(path);
  if (object !== undefined && others.length === 0) return object;
  throw new UsageError(
    `cannot use "${path}": it has ${others.length + (object === undefined ? 0 : 1)} objects; accepted: exactly one`,
  );
}

function filesOf(path: string): readonly string[] {
  if (!accessible(() => statSync(path), path).isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => join(path, name));
  if (files.length === 0) throw new UsageError(`cannot use folder "${path}": it has no YAML files`);
  return files;
}

function readFile(path: string): readonly KubeObject[] {
  const text = accessible(() => readFileSync(path, 'utf8'), path);
  const lines = new LineCounter();
  return parseAllDocuments(text, { lineCounter: lines }).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined)
      throw new UsageError(
        `cannot read "${path}": line ${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'not YAML'}`,
      );
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return [];
    const line = lines.linePos(document.range[0]).line;
    return listed(value).map((object) => checked(object, `"${path}", line ${line}`));
  });
}

/** The objects of a list, as `kubectl get -o yaml` prints several; anything else is one object. */
function listed(value: unknown): readonly unknown[] {
  const items = at(value, 'items');
  return stringAt(value, 'kind')?.endsWith('List') === true && Array.isArray(items) ? items : [value];
}

function checked(value: unknown, where: string): KubeObject {
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) {
    if (isJsonObject(value) && stringAt(value, ...path) !== undefined) continue;
    throw new UsageError(`cannot use ${where}: ${path.join('.')} is required; accepted: Kubernetes objects`);
  }
  return value as KubeObject;
}

/** What a path gives. Throws UsageError where it cannot be read or written, in plain words. */
export function accessible<T>(access: () => T, path: string, verb: 'read' | 'write' = 'read'): T {
  try {
    return access();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const words: Readonly<Record<string, string>> = {
      ENOENT: 'no such file or folder',
      EACCES: 'no permission',
      EISDIR: 'it is a folder',
      ENOTDIR: 'it is not a folder',
    };
    throw new UsageError(`cannot ${verb} "${path}": ${words[code] ?? String(cause)}`);
  }
}
