/**
 * The XR of a call, with which every function begins. Errors in its spec are reported to its author; its status was
 * written by earlier calls, and each function parses its own part.
 */
import type { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { Request } from './request.ts';

export interface Claim<T> {
  /** Without its status. */
  readonly claim: T;
  /** As observed, for its conditions. */
  readonly composite: KubeObject;
  /** Name of the XR in messages. */
  readonly owner: string;
}

/** Throws InvalidClaim. @param kind its schema, such as Machine */
export function readClaim<T extends z.ZodType>({ observed: { composite } }: Request, kind: T): Claim<z.output<T>> {
  const owner = describeObject(composite);
  const { status: _status, ...claim } = composite;
  return { claim: parseAs(kind, claim, owner), composite, owner };
}

/**
 * The status an earlier call wrote, or its defaults. Throws InvalidObserved.
 * @param own an object with the status alone
 */
export function readOwnStatus<S>({ observed: { composite } }: Request, own: z.ZodType<{ status: S }>): S {
  return parseAs(own, { status: composite.status ?? {} }, describeObject(composite), 'InvalidObserved').status;
}

/** What is observed of what the XR composes, by composition resource name. */
export function observedObjects({ observed }: Request): ReadonlyMap<string, KubeObject> {
  return new Map([...observed.resources].map(([key, { resource }]) => [key, resource]));
}
