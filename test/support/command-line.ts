/** The command lines of test suites that are commands: an invalid one ends with one line and exit code 2. */

class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws unless the value is an integer of at least `least`. */
export function wholeNumber(flag: string, text: string, least = 0): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`cannot accept ${flag} "${text}": accepted: a whole number from ${least}`);
}

/** Throws unless the value is one of those. */
export function oneOf(flag: string, text: string, accepted: readonly string[]): string {
  if (accepted.includes(text)) return text;
  throw new UsageError(`cannot accept ${flag} "${text}": accepted: ${accepted.join(', ')}`);
}

/** Runs a command; an unknown option or an invalid value is reported as a usage error. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (!(thrown instanceof UsageError) && !code.startsWith('ERR_PARSE_ARGS')) throw thrown;
    process.stderr.write(
      `${(thrown as Error).message.split('\n')[0]?.split('. To specify')[0]}; --help says what is accepted\n`,
    );
    process.exitCode = 2;
  }
}
