/** What a function tells people, without values of the Secrets that it was given or makes: conditions, events, errors. */
import { type Condition, conditionOf } from '#lib/api/conditions.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '../reply.ts';
import type { Request } from '../request.ts';
import { type Mask, MASKED, maskOf } from './mask.ts';
import { costOf, openIn, secretsOf } from './secrets.ts';

/** The same reply where it tells no secret. What was told before has none, and costs nothing. */
export function withoutSecrets(reply: ReplyData, request: Request): ReplyData {
  const before = request.observed.composite;
  const isTold = ({ type, message = '' }: Condition): boolean =>
    message === '' || conditionOf(before, type)?.message === message;
  if (reply.events.length === 0 && reply.conditions.every(isTold)) return reply;
  const mask = maskOfCall(
    request,
    [...reply.resources.values()].map(({ resource }) => resource),
  );
  const masked = <T extends { readonly message?: string }>(one: T): T =>
    one.message === undefined ? one : { ...one, message: mask(one.message) };
  return { ...reply, conditions: reply.conditions.map(masked), events: reply.events.map(masked) };
}

/** Parsers quote what they cannot read, in their messages and in the stack that is logged. */
export function errorWithoutSecrets(thrown: unknown, request: Request): SlipwayError {
  const error = SlipwayError.from(thrown);
  const mask = maskOfCall(request, []);
  const { code, message, reason, cause, stack = '' } = error;
  const trace = cause instanceof Error ? (cause.stack ?? cause.message) : '';
  if ([message, reason ?? '', stack, trace].every((text) => mask(text) === text)) return error;
  const { hint, field, object, absentSecrets } = error;
  const details = { hint, field, object, absentSecrets, reason: reason === undefined ? undefined : mask(reason) };
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  return new SlipwayError(code, mask(message), { ...Object.fromEntries(known), cause: told(mask(trace || stack)) });
}

function told(stack: string): Error {
  const error = new Error(stack.split('\n')[0]);
  error.stack = stack;
  return error;
}

/** Bytes of Secrets that a call looks for: two Secrets of the largest size, or 128 KiB of YAML and JSON. */
const MOST = 2 * 1024 * 1024;

/** Of more Secrets, nobody knows what a text has of them: it is masked as a whole. */
function maskOfCall({ observed, required }: Request, made: readonly KubeObject[]): Mask {
  const read = [...observed.resources.values()].map(({ resource }) => resource);
  const objects = [...read, ...[...required.values()].flat(), ...made];
  if (costOf(objects) > MOST) return (text) => (text === '' ? '' : MASKED);
  const secrets = secretsOf(objects);
  const strict = maskOf(secrets);
  return (text) => {
    if (strict(text) === text) return text;
    const open = openIn(observed.composite);
    return maskOf(secrets.filter((secret) => !open.has(secret)))(text);
  };
}
