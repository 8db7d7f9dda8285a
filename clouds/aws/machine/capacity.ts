/** Whether AWS had no capacity for an instance that was never created, and the message about it. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';

/** EC2 error codes, as they appear in messages of the provider. */
const CODES = [
  'InsufficientInstanceCapacity',
  'InsufficientHostCapacity',
  'InsufficientReservedInstanceCapacity',
  'InsufficientCapacity',
] as const;

const LACKS = new RegExp(`\\b(?:${CODES.join('|')}): .*`);
/** The code is generic; this is the EC2 message for a type that a zone does not offer at all. */
const UNSUPPORTED = /\bUnsupported: .*\binstance type\b.*\bnot supported in your requested Availability Zone\b.*/;

/**
 * The first sentence of the EC2 message, from its code on: the rest (request ids, other zones) changes on every
 * attempt, and so would the condition. Between attempts the provider reports no error; LastAsyncOperation has the
 * result of the last attempt.
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
