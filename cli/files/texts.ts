/** The text of a file or of standard input, and why there is none. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, type Stats, statSync } from 'node:fs';
import { messageOf } from '#lib/api/errors.ts';
import { systemCause, UsageError } from '../exit.ts';
import { STANDARD_INPUT } from './place.ts';
import { refuseName } from './sources.ts';

/** Bytes of one file: objects of thousands of machines fit, a disk image given by mistake does not. */
const LARGEST = 256 * 1024 * 1024;

/** Standard input can be read once only. */
let input: string | undefined;

/** The text of a path. Throws UsageError where it has none. */
export function textOf(path: string): string {
  if (path === STANDARD_INPUT) return (input ??= decoded(0, path));
  const { size } = statOf(path);
  if (size > LARGEST)
    throw new UsageError(
      `cannot read "${path}": it has ${Math.round(size / 1024 / 1024)} MiB; accepted: at most ${LARGEST / 1024 / 1024} MiB`,
    );
  return decoded(path, path);
}

/** What the operating system says of a path. Throws UsageError where there is nothing. */
export function statOf(path: string): Stats {
  refuseName(path);
  return accessible(() => statSync(path), path);
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

/** What a path gives. Throws UsageError where it cannot be read or written, in plain words. */
export function accessible<T>(access: () => T, path: string, verb: 'read' | 'write' = 'read'): T {
  try {
    return access();
  } catch (thrown) {
    throw new UsageError(`cannot ${verb} "${path}": ${systemCause(thrown) ?? messageOf(thrown)}`);
  }
}
