/** Exit codes, and how an error ends a command: one line, and a second one with what to do. */
import { type ErrorCode, SlipwayError } from '#lib/api/errors.ts';
import { legible } from './terminal/legible.ts';
import { columnsOf } from './terminal/style.ts';
import { hanging } from './terminal/table.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, notConverged: 3 } as const;

/** What shells report for a command that Ctrl-C ended, and for one whose reader is gone. */
export const SIGNAL_EXIT = { interrupted: 130, unread: 141 } as const;

/** Exit codes of `slipway plan`; like every command it also fails with 1 and 2. */
export const PLAN_EXIT = { nothing: 0, inPlace: 10, replaces: 11, held: 12 } as const;

export const PLAN_EXIT_HELP =
  'Exit codes: 0 nothing to do · 10 changes in place only, nothing is deleted · ' +
  '11 machines or resources are deleted · 12 something is held or refused · 1 failed · 2 usage';

/** Of all commands together. */
export const ALL_EXIT_HELP = [
  'Exit codes:',
  '  0    done; of a plan: nothing to do',
  '  1    failed, or a claim is refused',
  '  2    usage: a command, flag or file that does not exist',
  '  3    not ready',
  '  10   of a plan: changes in place only',
  '  11   of a plan: machines or resources are deleted',
  '  12   of a plan: something is held or refused',
  '  130  Ctrl-C',
  '  141  nobody reads the output any more',
].join('\n');

/** Of the commands in which objects become Ready. */
export const READY_EXIT_HELP = 'Exit codes: 0 done · 1 failed · 2 usage · 3 not ready';

export const EXIT_HELP = 'Exit codes: 0 done · 1 failed · 2 usage';

export const VALIDATE_EXIT_HELP = 'Exit codes: 0 nothing is refused · 1 a claim is refused, or failed · 2 usage';

/** Errors in the command line itself, as opposed to errors in its input files. */
export class UsageError extends SlipwayError {
  constructor(message: string, hint?: string) {
    super('UnknownSubject', message, hint === undefined ? {} : { hint });
  }
}

/** A line, and perhaps a second one below it. */
export interface Said {
  readonly line: string;
  /** Where it is written, or what to do. */
  readonly below?: string | undefined;
}

/** What is told together: a line each, and what is below it. */
export abstract class SeveralErrors extends SlipwayError {
  readonly said: readonly Said[];

  constructor(code: ErrorCode, said: readonly Said[]) {
    super(code, said[0]?.line ?? '');
    this.said = said;
  }
}

/** Claims that are refused, perhaps for several reasons: a line each, and where that is written. */
export class RefusedClaims extends SeveralErrors {
  constructor(said: readonly Said[]) {
    super('InvalidClaim', said);
  }
}

/** Prints an error and returns the exit code. */
export function reportError(thrown: unknown, debug: boolean): number {
  const error = fromSystem(thrown) ?? SlipwayError.from(thrown);
  tell(error);
  if (debug)
    process.stderr.write(`${error.stack ?? ''}\n${error.cause instanceof Error ? (error.cause.stack ?? '') : ''}\n`);
  else if (error.code === 'Internal')
    process.stderr.write(hintLine('this is a defect of Slipway; --debug shows where'));
  return exitOf(error);
}

/** The exit code of a command that ends with an error. */
export function exitOf({ code }: SlipwayError): number {
  return code === 'UnknownSubject' ? EXIT.usage : EXIT.failed;
}

/** Says an error, and what is below it. */
export function tell(error: SlipwayError): void {
  const said = error instanceof SeveralErrors ? error.said : [{ line: error.message, below: error.hint }];
  for (const { line, below } of said)
    process.stderr.write(`${errorLine(line)}${below === undefined ? '' : hintLine(below)}`);
}

/** Every error begins the same way, whoever found it; in a terminal it is broken to fit. */
export function errorLine(message: string): string {
  return fitted(`slipway: ${legible(message)}`);
}

/** What to do about an error, below it. */
export function hintLine(hint: string): string {
  return fitted(`  ${legible(hint)}`);
}

/** Text for standard error. */
export function fitted(text: string): string {
  return `${hanging(text, columnsOf(process.stderr) ?? Infinity).join('\n')}\n`;
}

/** Words for what the operating system refuses, by its code. */
const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EADDRINUSE: 'another program uses it',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  ENOTFOUND: 'no such host',
  EROFS: 'it cannot be written to',
};

/** Why the operating system refuses something; undefined: it is not an error of the system. */
export function systemCause(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('syscall' in thrown)) return undefined;
  return SYSTEM[String(thrown.code)] ?? String(thrown.code);
}

function fromSystem(thrown: unknown): SlipwayError | undefined {
  const cause = systemCause(thrown);
  if (cause === undefined) return undefined;
  const { syscall, path, address, port } = thrown as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
  };
  const subject = path ?? [address, port].filter((part) => part !== undefined).join(':');
  return new SlipwayError('Unavailable', `cannot ${syscall ?? 'use'} "${subject}": ${cause}`, { cause: thrown });
}
