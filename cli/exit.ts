/** Exit codes, and how an error ends a command: one line, and a second one with what to do. */
import { SlipwayError } from '#lib/api/errors.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, notConverged: 3 } as const;

/** Exit codes of `slipway plan`; like every command it also fails with 1 and 2. */
export const PLAN_EXIT = { nothing: 0, inPlace: 10, replaces: 11, held: 12 } as const;

export const PLAN_EXIT_HELP =
  'Exit codes: 0 nothing to do · 10 changes in place only, nothing is deleted ·\n' +
  '11 machines or resources are deleted · 12 something is held or refused · 1 failed · 2 usage';

export const EXIT_HELP = 'Exit codes: 0 done · 1 failed · 2 usage · 3 not converged';

/** Errors in the command line itself, as opposed to errors in its input files. */
export class UsageError extends SlipwayError {
  constructor(message: string, hint?: string) {
    super('UnknownSubject', message, hint === undefined ? {} : { hint });
  }
}

/** Prints an error and returns the exit code. */
export function reportError(thrown: unknown, debug: boolean): number {
  const error = SlipwayError.from(thrown);
  process.stderr.write(`slipway: ${error.message}\n`);
  if (error.hint !== undefined) process.stderr.write(`  ${error.hint}\n`);
  if (debug)
    process.stderr.write(`${error.stack ?? ''}\n${error.cause instanceof Error ? (error.cause.stack ?? '') : ''}\n`);
  else if (error.code === 'Internal') process.stderr.write('  this is a bug in Slipway; --debug shows where\n');
  return error.code === 'UnknownSubject' ? EXIT.usage : EXIT.failed;
}
