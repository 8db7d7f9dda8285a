/** What the command lines of several commands share. */
import { Option } from 'commander';
import { EXIT_HELP, UsageError } from './exit.ts';

/** @param text RFC 3339. Throws UsageError for what is no time. */
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

/** How a command prints. */
export const output = (): Option =>
  new Option('-o, --output <format>', 'output format').choices(['table', 'json', 'yaml']).default('table');

/** What stands below the options in the help of a command. */
export function examples(command: string, lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  slipway ${command} ${line}`.trimEnd()), '', EXIT_HELP].join('\n');
}
