/** Flags that several commands share. */
import { Option } from 'commander';
import { EXIT_HELP, UsageError } from './exit.ts';

/** @param text a time in RFC 3339. Throws UsageError if it is not one. */
export function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`cannot accept --now "${text}": accepted: a time such as 2026-01-01T00:00:00Z`);
}

/** A parser for an option that may be repeated. */
export function gather<T>(parse: (text: string) => T): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => [...before, parse(text)];
}

/** The output format of a command. */
export const output = (): Option =>
  new Option('-o, --output <format>', 'output format').choices(['table', 'json', 'yaml']).default('table');

/** The examples and exit codes below the options in the help of a command. */
export function examples(command: string, lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  slipway ${command} ${line}`.trimEnd()), '', EXIT_HELP].join('\n');
}
