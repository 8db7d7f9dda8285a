/** Whether AWS has no capacity for an instance that it never made, and the line that says so. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';

/** Codes of EC2, as they stand in what the provider hands on. */
const CODES = [
  'InsufficientInstanceCapacity',
  'InsufficientHostCapacity',
  'InsufficientReservedInstanceCapacity',
  'InsufficientCapacity',
] as const;

const LACKS = new RegExp(`\\b(?:${CODES.join('|')}): .*`);
/** The code says little; this text is what EC2 answers for a type that a zone does not have at all. */
const UNSUPPORTED = /\bUnsupported: .*\binstance type\b.*\bnot supported in your requested Availability Zone\b.*/;

/**
 * The first sentence of what EC2 answered, from its code on: the rest – ids of calls, other zones – changes from try to
 * try, and the condition it goes to would never be old. Between tries the provider says that all is well; what came of
 * the last one says LastAsyncOperation.
 */
export function lackOfCapacity(instance: KubeObject | undefined): string | undefined {
  for (const type of ['Synced', 'LastAsyncOperation']) {
    const condition = conditionOf(instance, type);
    if (condition?.status !== 'False') continue;
    const { message = '' } = condition;
    const found = LACKS.exec(message)?.[0] ?? UNSUPPORTED.exec(message)?.[0];
    if (found !== undefined) return firstSentence(found);
  }
  return undefined;
}

function firstSentence(text: string): string {
  const end = /[.]\s/.exec(text)?.index ?? text.search(/\s*\[\]\}\]$/);
  return end < 0 ? text : text.slice(0, end);
}
