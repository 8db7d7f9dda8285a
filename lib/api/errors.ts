/** The one error class of Slipway and its closed set of codes. A message is one line and never holds a secret. */

import { atMostBytes, LONGEST_MESSAGE, withoutUserinfos } from './shown-text.ts';

export const ERROR_CODES = [
  'InvalidClaim', // a field of an XR cannot be accepted; its author can mend it
  'InvalidInput', // a field of a function's input in a Composition cannot be accepted
  'InvalidObserved', // something read back from the cluster is not what it must be
  'MissingReference', // an object that was named does not exist
  'UnreadableSecret', // a Secret that must exist is gone or lacks a key; never regenerated
  'Unsupported', // a combination nobody implements
  'PayloadTooLarge', // first-boot data over the cloud's limit
  'BrokenContract', // a pipeline step handed on something its contract forbids
  'UnknownSubject', // the command line named something that does not exist
  'UnlawfulRemoval', // an answer would have let go of more than may go; it is not given
  'DeadlineExceeded', // a call took longer than any takes, and was ended
  'MemoryExceeded', // a call needed more memory than any needs, and was ended
  'Unavailable', // a process, port or file could not be used
  'Internal', // a defect of Slipway
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

const ABOUT_CLAIM: ReadonlySet<string> = new Set<ErrorCode>(['InvalidClaim', 'Unsupported', 'PayloadTooLarge']);

/** Whether an error is about a field of the claim: its author cannot mend the input of a step. */
export function isAboutClaim(code: string | undefined): boolean {
  return code !== undefined && ABOUT_CLAIM.has(code);
}

/** Data of an error for programs besides its code, so that none has to parse its message. */
interface Details {
  readonly cause?: unknown;
  /** What to do; only the command line shows it, on a separate line. */
  readonly hint?: string;
  /** Path of the field. */
  readonly field?: string;
  /** The object that has the field. */
  readonly object?: { readonly kind: string; readonly namespace?: string | undefined; readonly name: string };
  /** The message without the object and the field. */
  readonly reason?: string;
  /** Secrets that were created and are missing, if nothing else is wrong. */
  readonly absentSecrets?: readonly { readonly namespace: string; readonly name: string }[];
}

/** An error people can act on: `cannot <verb> <thing> "<name>": <cause>`. */
export class SlipwayError extends Error {
  override readonly name = 'SlipwayError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly field: string | undefined;
  readonly object: Details['object'];
  readonly reason: string | undefined;
  readonly absentSecrets: Details['absentSecrets'];

  constructor(code: ErrorCode, message: string, { cause, hint, field, object, reason, absentSecrets }: Details = {}) {
    super(spoken(message), cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    this.field = field === undefined ? undefined : spoken(field);
    this.object = object;
    this.reason = reason === undefined ? undefined : spoken(reason);
    this.absentSecrets = absentSecrets;
  }

  /** Anything thrown, as a SlipwayError; an unknown error becomes `Internal` and keeps its stack as cause. */
  static from(thrown: unknown): SlipwayError {
    if (thrown instanceof SlipwayError) return thrown;
    return new SlipwayError('Internal', messageOf(thrown), { cause: thrown });
  }
}

/** `spec.replicas: 4 is not accepted; …`, where the object is known: the field and the cause. */
export function fieldAndCause({ field = 'spec', reason, message }: SlipwayError): string {
  return `${field}: ${reason ?? message}`;
}

/** What anything thrown says: as it is, perhaps of several lines. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** On one line, without users and passwords of URLs, and not too long for a condition. */
function spoken(text: string): string {
  return atMostBytes(withoutUserinfos(oneLine(text)), LONGEST_MESSAGE);
}

/** Collapses white space and control characters, so that a message fits into a condition and on a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
