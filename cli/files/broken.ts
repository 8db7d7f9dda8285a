/** Files that cannot be read, and objects in them that are none: all are told in one round. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { SeveralErrors } from '../exit.ts';

export interface Broken {
  readonly file: string;
  /** From 1; undefined: it is about the whole file. */
  readonly line?: number;
  readonly error: SlipwayError;
}

/** Several of them. */
export class BrokenFiles extends SeveralErrors {
  readonly broken: readonly Broken[];

  constructor(broken: readonly Broken[]) {
    super(
      codeOf(broken),
      broken.map(({ error }) => ({ line: error.message, below: error.hint })),
    );
    this.broken = broken;
  }
}

/** Throws the one error of what is broken, or BrokenFiles. */
export function refuseBroken(broken: readonly Broken[]): void {
  const error = errorOf(broken);
  if (error !== undefined) throw error;
}

/** What is broken as one error; undefined: nothing is. */
export function errorOf(broken: readonly Broken[]): SlipwayError | undefined {
  const [first, ...others] = broken;
  return others.length === 0 ? first?.error : new BrokenFiles(broken);
}

/** That nothing was judged counts more than that a claim is refused. */
function codeOf(broken: readonly Broken[]): SlipwayError['code'] {
  return broken.some(({ error }) => error.code === 'UnknownSubject') ? 'UnknownSubject' : 'InvalidClaim';
}
