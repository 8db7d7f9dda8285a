/** What options of several commands accept. */
import { InvalidArgumentError } from 'commander';
import { UsageError } from './exit.ts';

/** @param text RFC 3339. Throws UsageError for what is no time. */
export function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`cannot accept --now "${text}": accepted: a time such as 2026-01-01T00:00:00Z`);
}

/** A parser whose refusal commander reports as its own. */
export function accept<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (thrown) {
      throw new InvalidArgumentError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
}

/** A parser for an option that may be repeated. */
export function gather<T>(parse: (text: string) => T): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => [...before, accept(parse)(text)];
}
