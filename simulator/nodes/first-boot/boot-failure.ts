/** The machine could not make sense of its data; the message says why, as its log would. */
export class BootFailure extends Error {
  override readonly name = 'BootFailure';
  /** Whether the machine tries again for a while. */
  readonly passes: boolean;

  constructor(message: string, passes = false) {
    super(message);
    this.passes = passes;
  }
}
