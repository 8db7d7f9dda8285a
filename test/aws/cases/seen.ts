/** What calls to AWS say, counted. */
import type { Call } from '../cloud/call.ts';

/** RunInstances that AWS accepted, by the name in the tags of the machine. */
export function runsOf(calls: readonly Call[]): ReadonlyMap<string, number> {
  return counted(accepted(calls, 'RunInstances').map(({ named: [name = 'without a name'] }) => name));
}

export function accepted(calls: readonly Call[], action: string): readonly Call[] {
  return calls.filter((call) => call.action === action && call.error === undefined);
}

/** The most frequent first. */
export function counted(words: readonly string[]): ReadonlyMap<string, number> {
  const groups = [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const);
  return new Map(groups.toSorted(([, a], [, b]) => b - a));
}

/** `DescribeVpcs 12, DescribeSubnets 6`. */
export function inWords(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ') || 'none';
}
