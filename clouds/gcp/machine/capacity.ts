/** Whether a zone had no capacity for a machine that was never created, and the message about it. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';

/** Codes of Compute Engine, and its sentence for a machine type that a zone does not offer. */
const LACKS =
  /\b(?:ZONE_RESOURCE_POOL_EXHAUSTED(?:_WITH_DETAILS)?|The zone '[^']+' does not have enough resources available)\b.*/;
const UNSUPPORTED = /\bMachine type with name '[^']+' does not exist in zone '[^']+'.*/;

/**
 * The first sentence of the message: the rest changes on every attempt, and so would the condition. Between attempts
 * the provider reports no error; LastAsyncOperation has the result of the last attempt.
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
  const end = /[.]\s|\s*\[\]\}\]$/.exec(text)?.index;
  return end === undefined ? text : text.slice(0, end);
}
