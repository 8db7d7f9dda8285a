/** Expressions that recheck called linear: its verdict on one may take seconds, so that it is asked once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCEPTIONS } from './exceptions.ts';

export const EXCEPTED: ReadonlySet<string> = new Set(Object.values(EXCEPTIONS).flat());

const FILE = join(import.meta.dirname, 'golden/linear.txt');

export function linear(): readonly string[] {
  return readFileSync(FILE, 'utf8').trimEnd().split('\n');
}

export function record(expressions: Iterable<string>): void {
  writeFileSync(FILE, `${[...expressions].toSorted().join('\n')}\n`);
}
