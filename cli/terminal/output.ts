/** Where a command writes its result: standard output, or a file. */
import { writeFileSync } from 'node:fs';
import { accessible } from '../files/texts.ts';
import { columnsOf, plain, type Style, styleFor } from './style.ts';

/** The path of standard output. */
export const STANDARD_OUTPUT = '-';

export interface Output {
  readonly style: Style;
  /** Columns of the terminal; undefined: there is no terminal. */
  readonly width: number | undefined;
  write(result: string | Uint8Array): void;
}

export function outputTo(file: string | undefined): Output {
  const { stdout } = process;
  if (file === undefined || file === STANDARD_OUTPUT)
    return { style: styleFor(stdout), width: columnsOf(stdout), write: (result) => void stdout.write(result) };
  return {
    style: plain,
    width: undefined,
    // First-boot data may hold secrets: a file is for its owner.
    write: (result) => accessible(() => writeFileSync(file, result, { mode: 0o600 }), file, 'write'),
  };
}
