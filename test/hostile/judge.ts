/** What no answer may do, however hostile its request was. */
import type { KubeObject } from '#lib/api/json.ts';
import { decodeAnswer, type FunctionAnswer } from '#lib/wire/answer.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Answered } from '#lib/wire/shell.ts';
import { removalOf } from '../law/judge.ts';
import { LABEL } from '#lib/api/words.ts';
import { HUSHED, type Reply, SEALED_CONTEXT } from './requests.ts';

/** In bytes: a message ends up in the XR, in events and on terminals. */
export const LONGEST_MESSAGE = 1024;

export interface Judged {
  readonly outcome: Answered['outcome'];
  /** Violations; none is the rule. */
  readonly wrong: readonly string[];
}

/**
 * @param kept composition resource names that the answer to the valid request keeps
 * @param logged what the function wrote to its log
 */
export function judge(
  name: string,
  request: Request,
  { bytes, outcome }: Answered,
  kept: ReadonlySet<string>,
  logged: string,
): Judged {
  const answer = decodeAnswer(bytes);
  const wrong = [
    ...(outcome === 'failed' ? [`an internal error: ${logged.slice(0, 600)}`] : []),
    ...messagesOf(answer).flatMap(wrongMessage),
    ...leaks(answer, logged),
    ...(outcome === 'accepted' ? smaller(name, request, answer, kept) : []),
  ];
  return { outcome, wrong };
}

function messagesOf({ conditions, results }: FunctionAnswer): readonly string[] {
  return [...conditions, ...results].flatMap(({ reason, message }) => [reason ?? '', message ?? '']);
}

function wrongMessage(message: string): readonly string[] {
  const bytes = Buffer.byteLength(message);
  if (bytes > LONGEST_MESSAGE) return [`a message of ${bytes} bytes: ${message.slice(0, 200)}`];
  if (/[\p{Cc}\u2028\u2029]/u.test(message)) return [`a message with control characters: ${JSON.stringify(message)}`];
  return [];
}

/** Objects that an answer composes are for the API server; a claim's own secrets stay in its children. */
function leaks(answer: FunctionAnswer, logged: string): readonly string[] {
  const context = Object.fromEntries(Object.entries(answer.context).filter(([key]) => !SEALED_CONTEXT.has(key)));
  // A pool records what it accepted: its own spec, which stands beside it.
  const { accepted: _template, acceptedSpec: _spec, ...status } = answer.desired.composite?.['status'] ?? {};
  const parts: Readonly<Record<string, unknown>> = {
    conditions: answer.conditions,
    results: answer.results,
    status,
    requirements: [...answer.requirements],
    context,
    log: logged,
  };
  return Object.entries(parts).flatMap(([part, value]) => {
    const text = JSON.stringify(value) ?? '';
    return HUSHED.some((secret) => text.includes(secret)) ? [`a secret in ${part}`] : [];
  });
}

function smaller(name: string, request: Request, answer: FunctionAnswer, kept: ReadonlySet<string>): readonly string[] {
  if (name === 'in-place-update') {
    const reply = { resources: answer.desired.resources } as Reply;
    const { violation } = removalOf(request, reply);
    return violation === undefined ? [] : [`it removes too much: ${violation}`];
  }
  // A Machine may also stay as the one of its slot, which the next step decides about.
  const slots = new Set([...answer.desired.resources.values()].map(({ resource }) => slotOf(resource)));
  const isPlaced = (object: KubeObject): boolean => slotOf(object) !== undefined && slots.has(slotOf(object));
  const missing = [...request.observed.resources]
    .filter(([key, { resource }]) => kept.has(key) && resource.metadata?.deletionTimestamp === undefined)
    .filter(([key, { resource }]) => !answer.desired.resources.has(key) && !(name === 'nodepool' && isPlaced(resource)))
    .map(([key]) => key);
  return missing.length === 0 ? [] : [`it no longer desires ${missing.join(', ')}`];
}

function slotOf({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[LABEL.slot];
}
