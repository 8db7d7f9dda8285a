/**
 * The laws of every function, as checks for any function and any request: the same request gives the same reply; the
 * request is never changed; key order does not matter; a call on its own output changes nothing; and whatever it cannot
 * read, it either refuses or still desires all existing objects.
 */
import { expect } from 'vitest';
import { at, canonical, isJsonObject, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import { aWorld, frozen } from './request.ts';

/** A reply as canonical text, including Maps. */
export function textOf(reply: ReplyData): string {
  return canonical(
    JSON.parse(
      JSON.stringify(reply, (_key, value: unknown) =>
        value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value,
      ),
    ),
  );
}

export async function replyOf(run: CompositionFunction, request: Request, now?: string): Promise<ReplyData> {
  return (await run(request, aWorld(now))).build();
}

/** Every law for several requests, each with a name: `expectLaws(run, { 'a pool that grows': request })`. */
export async function expectLaws(run: CompositionFunction, requests: Readonly<Record<string, Request>>): Promise<void> {
  for (const [name, request] of Object.entries(requests))
    for (const law of [expectPure, expectOrderBlind, expectIdempotent, expectNeverSmaller])
      await law(run, request).catch((cause: unknown) => {
        throw new Error(`${name}: ${messageOf(cause)}`, { cause });
      });
}

/**
 * The same request gives the same reply, and the request does not change. Functions that create keys are exempt from
 * the former in the call that creates them.
 */
export async function expectPure(run: CompositionFunction, request: Request): Promise<void> {
  const before = JSON.stringify(request, mapAsObject);
  const once = textOfOutcome(await outcomeOf(run, frozen(request)));
  expect(textOfOutcome(await outcomeOf(run, frozen(request)))).toBe(once);
  expect(JSON.stringify(request, mapAsObject)).toBe(before);
}

export async function expectOrderBlind(run: CompositionFunction, request: Request): Promise<void> {
  expect(textOfOutcome(await outcomeOf(run, reversed(request)))).toBe(textOfOutcome(await outcomeOf(run, request)));
}

/** The maximum number of calls for an XR until its function has nothing new to report. */
const ROUNDS = 5;

/** Its desired state, once observed, gives the same desired state; and soon the same reply, without events. */
export async function expectIdempotent(run: CompositionFunction, request: Request): Promise<void> {
  const first = await replyOf(run, request);
  let before = request;
  let reply = first;
  for (let round = 0; round < ROUNDS; round += 1) {
    before = observedAsDesired(before, reply);
    const next = await replyOf(run, before);
    expect(desiredText(next), 'what is desired of its own output').toBe(desiredText(first));
    if (textOf(next) === textOf(reply) && next.events.length === 0) return;
    reply = next;
  }
  expect.fail(`it still changes its mind, or announces something, after ${ROUNDS} looks at its own output`);
}

/** Removes, one after the other, every required answer, its content, and every observed status. */
export async function expectNeverSmaller(run: CompositionFunction, request: Request): Promise<void> {
  const keys = [...request.observed.resources.keys()];
  await replyOf(run, request); // a function that refuses it anyway proves nothing by refusing less
  for (const [what, reduced] of reductionsOf(request)) {
    const outcome = await outcomeOf(run, reduced);
    if (outcome instanceof SlipwayError) {
      expect(outcome.code, `without ${what}: ${outcome.message}`).not.toBe('Internal');
      continue; // refused: Crossplane changes nothing
    }
    expect(
      keys.filter((key) => !outcome.resources.has(key)),
      `without ${what}`,
    ).toEqual([]);
  }
}

async function outcomeOf(run: CompositionFunction, request: Request): Promise<ReplyData | SlipwayError> {
  try {
    return await replyOf(run, request);
  } catch (thrown) {
    if (thrown instanceof SlipwayError) return thrown;
    throw thrown;
  }
}

function textOfOutcome(outcome: ReplyData | SlipwayError): string {
  return outcome instanceof SlipwayError ? `${outcome.code}: ${outcome.message}` : textOf(outcome);
}

const GARBAGE = { conditions: 'garbage', atProvider: 7 };

type Reduced = readonly [string, Request];

function reductionsOf(request: Request): readonly Reduced[] {
  return [...withoutAnswers(request), ...withGarbageObserved(request), ...withGarbageInXr(request)];
}

function withoutAnswers(request: Request): readonly Reduced[] {
  return [...request.required].flatMap(([name, items]): readonly Reduced[] => {
    const answered = (objects: readonly KubeObject[]): Request => ({
      ...request,
      required: new Map([...request.required, [name, objects]]),
    });
    const rest = new Map([...request.required].filter(([key]) => key !== name));
    return [
      [`an answer to requirement ${name}`, { ...request, required: rest }],
      [`what requirement ${name} found`, answered([])],
      [`a status of what requirement ${name} found`, answered(items.map((item) => ({ ...item, status: GARBAGE })))],
    ];
  });
}

function withGarbageObserved(request: Request): readonly Reduced[] {
  const { observed } = request;
  return [...observed.resources].map(([key, value]): Reduced => {
    const resources = new Map([
      ...observed.resources,
      [key, { ...value, resource: { ...value.resource, status: GARBAGE } }],
    ]);
    return [`a status of ${key}`, { ...request, observed: { ...observed, resources } }];
  });
}

/** The status of the XR itself, as a whole and field by field: values that a function keeps there may be damaged. */
function withGarbageInXr(request: Request): readonly Reduced[] {
  const { composite } = request.observed;
  const withStatus = (status: JsonObject): Request => ({
    ...request,
    observed: { ...request.observed, composite: { ...composite, status } },
  });
  const fields = Object.keys(composite.status ?? {}).map((field): Reduced => [
    `status.${field} of the XR`,
    withStatus({ ...composite.status, [field]: 'garbage' }),
  ]);
  return [['a status of the XR', withStatus(GARBAGE)], ...fields];
}

function observedAsDesired(request: Request, { resources, status, conditions }: ReplyData): Request {
  const observed = [...resources].map(([key, { resource }]) => {
    const before = request.observed.resources.get(key)?.resource;
    return [
      key,
      {
        resource: { ...resource, ...(before?.status === undefined ? {} : { status: before.status }) },
        connectionDetails: {},
      },
    ] as const;
  });
  const { composite } = request.observed;
  const own = new Set(conditions.map(({ type }) => type));
  const others = at(composite, 'status', 'conditions');
  const kept = Array.isArray(others) ? others.filter((other: Json) => !own.has(stringAt(other, 'type') ?? '')) : [];
  const latest = { ...composite.status, ...status, conditions: [...kept, ...conditions.map((one) => ({ ...one }))] };
  return { ...request, observed: { composite: { ...composite, status: latest }, resources: new Map(observed) } };
}

function desiredText({ resources }: ReplyData): string {
  return canonical(Object.fromEntries([...resources].map(([key, { resource }]) => [key, resource as unknown])));
}

function reversed<T>(value: T): T {
  if (value instanceof Map)
    return new Map([...(value as Map<unknown, unknown>)].toReversed().map(([key, item]) => [key, reversed(item)])) as T;
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (!isJsonObject(value) || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  ) as T;
}

function mapAsObject(_key: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value;
}
