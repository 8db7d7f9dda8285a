/** Reasons of the events of a machine that never becomes a node. */
export const FIRST_BOOT = {
  /** It cannot use its data; nor can a machine that replaces it. */
  refused: 'FirstBootRefused',
  /** It gave up; a machine that replaces it may not. */
  failed: 'FirstBootFailed',
} as const;

/** The machine could not use its data; the message is the reason, as in its log. */
export class BootFailure extends Error {
  override readonly name = 'BootFailure';
  /** Whether the machine retries for a while. */
  readonly passes: boolean;

  constructor(message: string, passes = false) {
    super(message);
    this.passes = passes;
  }
}
