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
