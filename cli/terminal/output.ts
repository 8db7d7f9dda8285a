/** Where a command writes its result: standard output, or a file. */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { accessible } from '../files/read-objects.ts';
import { columnsOf, plain, type Style, styleFor } from './style.ts';

export interface Output {
  readonly style: Style;
  /** Columns of the terminal; undefined: there is no terminal. */
  readonly width: number | undefined;
  write(result: string | Uint8Array): void;
}

/** Throws UsageError for a file that cannot be written, before anything else is done. */
export function outputTo(file: string | undefined): Output {
  const { stdout } = process;
  if (file === undefined)
    return { style: styleFor(stdout), width: columnsOf(stdout), write: (result) => void stdout.write(result) };
  refuseUnwritable(file);
  return {
    style: plain,
    width: undefined,
    // First-boot data may hold secrets: a file is for its owner.
    write: (result) => accessible(() => writeFileSync(file, result, { mode: 0o600 }), file, 'write'),
  };
}

/** Throws UsageError if the folder of a file cannot be written to. */
export function refuseUnwritable(file: string): void {
  accessible(() => accessSync(dirname(file), constants.W_OK), file, 'write');
}
