/** The message of a cloud that had no capacity for a machine that was never created. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';

/**
 * The first sentence of the message, from where a pattern matches: the rest (request ids, other zones) changes on every
 * attempt, and so would the condition. Between attempts the provider reports no error; LastAsyncOperation has the result
 * of the last attempt.
 * @param patterns of the cloud, each to the end of the line
 */
export function messageAbout(patterns: readonly RegExp[], machine: KubeObject | undefined): string | undefined {
  for (const type of ['Synced', 'LastAsyncOperation']) {
    const condition = conditionOf(machine, type);
    if (condition?.status !== 'False') continue;
    const { message = '' } = condition;
    const found = patterns.map((pattern) => pattern.exec(message)?.[0]).find((one) => one !== undefined);
    if (found !== undefined) return firstSentence(found);
  }
  return undefined;
}

function firstSentence(text: string): string {
  const end = /[.]\s|(?<!\s)\s*\[\]\}\]$/.exec(text)?.index;
  return end === undefined ? text : text.slice(0, end);
}
