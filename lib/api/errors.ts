/** The one error class of Slipway and its closed set of codes. A message is one line and never holds a secret. */

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
  'Unavailable', // a process, port or file could not be used
  'Internal', // a defect of Slipway
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * An error people can act on: `cannot <verb> <thing> "<name>": <cause>`.
 * `hint` says what to do and is shown on a line of its own by the command line only.
 */
export class SlipwayError extends Error {
  override readonly name = 'SlipwayError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { readonly cause?: unknown; readonly hint?: string } = {}) {
    super(oneLine(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }

  /** Whatever was thrown, as a SlipwayError; a stranger becomes `Internal` and keeps its stack as cause. */
  static from(thrown: unknown): SlipwayError {
    if (thrown instanceof SlipwayError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new SlipwayError('Internal', message, { cause: thrown });
  }
}

/** Folds white space, so that a message can stand in a condition. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
