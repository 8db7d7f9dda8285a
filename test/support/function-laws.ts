/**
 * The laws every function keeps, as checks over any function and any request: same request, same reply; the
 * request is never changed; key order does not matter; on its own output it changes nothing; and whatever is
 * taken away from what it may read, it either refuses or goes on desiring everything that exists.
 */
import { expect } from 'vitest';
import { canonical, isJsonObject, type KubeObject } from '#lib/api/json.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { aWorld, frozen } from './request.ts';

/** A reply as canonical text, Maps included. */
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

/** Same request, same reply; and the request is as it was. Functions that make keys are exempt from sameness on the call that makes them. */
export async function expectPure(run: CompositionFunction, request: Request): Promise<void> {
  const before = JSON.stringify(request, mapAsObject);
  const once = textOf(await replyOf(run, frozen(request)));
  expect(textOf(await replyOf(run, frozen(request)))).toBe(once);
  expect(JSON.stringify(request, mapAsObject)).toBe(before);
}

export async function expectOrderBlind(run: CompositionFunction, request: Request): Promise<void> {
  expect(textOf(await replyOf(run, reversed(request)))).toBe(textOf(await replyOf(run, request)));
}

/** What it desires, observed as it is, leads to the same desire. */
export async function expectIdempotent(run: CompositionFunction, request: Request): Promise<void> {
  const first = await replyOf(run, request);
  const second = await replyOf(run, observedAsDesired(request, first));
  expect(desiredText(second)).toBe(desiredText(first));
}

/** Takes away, one after the other, every required answer, its content, and every observed status. */
export async function expectNeverSmaller(run: CompositionFunction, request: Request): Promise<void> {
  const keys = [...request.observed.resources.keys()];
  for (const [what, poorer] of impoverished(request)) {
    const outcome = await outcomeOf(run, poorer);
    if (outcome instanceof SlipwayError) continue; // refused: Crossplane touches nothing
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

function impoverished(request: Request): readonly (readonly [string, Request])[] {
  const required = [...request.required.keys()].flatMap((name): (readonly [string, Request])[] => [
    [
      `an answer to requirement ${name}`,
      { ...request, required: new Map([...request.required].filter(([key]) => key !== name)) },
    ],
    [`what requirement ${name} found`, { ...request, required: new Map([...request.required, [name, []]]) }],
  ]);
  const garbage = [...request.observed.resources].map(([key, value]): readonly [string, Request] => {
    const resource = { ...value.resource, status: { conditions: 'garbage', atProvider: 7 } } as KubeObject;
    return [
      `a status of ${key}`,
      {
        ...request,
        observed: {
          ...request.observed,
          resources: new Map([...request.observed.resources, [key, { ...value, resource }]]),
        },
      },
    ];
  });
  return [...required, ...garbage];
}

function observedAsDesired(request: Request, { resources, status }: ReplyData): Request {
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
  const composite = { ...request.observed.composite, status: { ...request.observed.composite.status, ...status } };
  return { ...request, observed: { composite, resources: new Map(observed) } };
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
