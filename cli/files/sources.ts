/** Files from which other programs make objects: they look like objects, or stand beside them. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { withoutUserinfo } from '#lib/api/shown-text.ts';
import { UsageError } from '../exit.ts';
import { STANDARD_INPUT } from './place.ts';

interface Source {
  readonly named: RegExp;
  readonly what: string;
  /** The command that prints the objects of a folder. */
  readonly prints: string;
}

const SOURCES: readonly Source[] = [
  { named: /^kustomization(\.ya?ml)?$/i, what: 'a kustomization', prints: 'kubectl kustomize' },
  { named: /^Chart\.ya?ml$/, what: 'the description of a Helm chart', prints: 'helm template' },
];

/** Throws UsageError for such a file, with what makes its objects. */
export function refuseSource(path: string): void {
  const source = SOURCES.find(({ named }) => named.test(basename(path)));
  if (source === undefined) return;
  const { what, prints } = source;
  throw new UsageError(
    `cannot use "${path}": it is ${what}; accepted: the objects that ${prints} makes of it`,
    `for example: ${prints} ${dirname(path)} > objects.yaml, and give objects.yaml instead`,
  );
}

const URL_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Throws UsageError for what other programs take for a file, and nothing here does. */
export function refuseName(path: string): void {
  if (path === '')
    throw new UsageError('cannot read "": the path is empty; accepted: a file, a folder, or - for standard input');
  if (path.includes('\0')) throw new UsageError(`cannot read "${path}": no such file or folder`);
  if (URL_SCHEME.test(path))
    throw new UsageError(
      `cannot read "${withoutUserinfo(path)}": it is a URL; accepted: a file, a folder, or - for standard input`,
      ...(/^https?:/i.test(path) ? ['for example: curl -fsSL URL | slipway validate -'] : []),
    );
  if (path.includes(',') && !existsSync(path))
    throw new UsageError(`cannot read "${path}": no such file or folder; accepted: one file or folder after each -f`);
  if (path.startsWith('-') && path !== STANDARD_INPUT && !existsSync(path))
    throw new UsageError(
      `cannot read "${path}": no such file or folder; accepted: options before --, and files after it`,
    );
}

/**
 * Whether a file of JSON beside those of objects is something else, such as the settings of a program. It may have
 * comments, as editors write it, or be broken: an object is told by the keys at its top.
 */
export function isOtherJson(text: string): boolean {
  const keys = keysAtTop(text);
  return !keys.has('apiVersion') && !(keys.has('kind') && keys.has('metadata'));
}

/** Texts, comments, and signs; a text that does not end is none. */
const JSON_PARTS = /"(?<text>(?:[^"\\]|\\.)*)"(?<key>\s*:)?|\/\/[^\n]*|\/\*[^]*?\*\/|[[\]{}]/g;

function keysAtTop(text: string): ReadonlySet<string> {
  const keys = new Set<string>();
  let depth = 0;
  for (const [part, , key] of text.matchAll(JSON_PARTS)) {
    if (part === '{' || part === '[') depth += 1;
    if (part === '}' || part === ']') depth -= 1;
    if (depth === 1 && key !== undefined) keys.add(part.slice(1, part.indexOf('"', 1)));
  }
  return keys;
}
