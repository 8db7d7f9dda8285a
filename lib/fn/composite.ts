/**
 * The XR a call is about, as every function begins with it. Its spec is its author's, and what is wrong with it is refused
 * as theirs; its status is what earlier calls wrote, and each function parses what is its own.
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
  /** How messages call it. */
  readonly owner: string;
}

/** Throws InvalidClaim. @param kind its schema, such as Machine */
export function readClaim<T extends z.ZodType>({ observed: { composite } }: Request, kind: T): Claim<z.output<T>> {
  const owner = describeObject(composite);
  const { status: _status, ...claim } = composite;
  return { claim: parseAs(kind, claim, owner), composite, owner };
}

/** The status an earlier call wrote, or its defaults. Throws InvalidObserved. @param own an object with the status alone */
export function readOwnStatus<S>({ observed: { composite } }: Request, own: z.ZodType<{ status: S }>): S {
  return parseAs(own, { status: composite.status ?? {} }, describeObject(composite), 'InvalidObserved').status;
}

/** What is observed of what the XR composes, by composition resource name. */
export function observedObjects({ observed }: Request): ReadonlyMap<string, KubeObject> {
  return new Map([...observed.resources].map(([key, { resource }]) => [key, resource]));
}
