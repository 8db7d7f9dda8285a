/**
 * What an answer may let go of. Crossplane deletes whatever it observes and no step desires, so what exists outlives every
 * answer by law, not by habit: a step says which existing objects it answers for and which of them may go, and an answer
 * that breaks this is never given.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import type { Desired, Request } from './request.ts';

/** An observed composed object that is not on its way out, under its composition resource name. */
export interface Existing {
  readonly key: string;
  readonly object: KubeObject;
}

export interface Parting {
  readonly gone: readonly Existing[];
  readonly staying: readonly Existing[];
  /** What the answer desires, by composition resource name. */
  readonly desired: ReadonlyMap<string, Desired>;
}

export interface Law {
  /** Whether it is for this step to say that the object stays. What it does not answer for, another step does. */
  readonly answersFor: (existing: Existing) => boolean;
  /** Why not all of those that would go may; undefined: they may. Asked only when one would go. */
  readonly objection: (parting: Parting) => string | undefined;
}

/** Of a step that composes nothing whose loss would be felt, or whose objects a later step answers for. */
export const ANSWERS_FOR_NOTHING: Law = { answersFor: () => false, objection: () => undefined };

/** Of a step whose objects go with their XR and never before. */
export function keeps(answersFor: Law['answersFor']): Law {
  return { answersFor, objection: () => 'none of them may be removed while the claim exists' };
}

/** Throws UnlawfulRemoval. */
export function obey(law: Law, { observed }: Request, desired: ReadonlyMap<string, Desired>): void {
  const existing = [...observed.resources]
    .map(([key, { resource }]) => ({ key, object: resource }))
    .filter((one) => one.object.metadata?.deletionTimestamp === undefined && law.answersFor(one));
  const stays = ({ key, object }: Existing): boolean => isSame(object, desired.get(key)?.resource);
  const gone = existing.filter((one) => !stays(one));
  if (gone.length === 0) return;
  const why = law.objection({ gone, staying: existing.filter(stays), desired });
  if (why === undefined) return;
  const names = gone.map(({ object }) => describeObject(object)).toSorted();
  throw new SlipwayError(
    'UnlawfulRemoval',
    `cannot answer for ${describeObject(observed.composite)}: it would remove ${names.join(', ')}: ${why}`,
  );
}

/** Under another name, or as another kind, it would be another object. */
function isSame(object: KubeObject, desired: KubeObject | undefined): boolean {
  if (desired === undefined) return false;
  const name = desired.metadata?.name;
  return groupKind(object) === groupKind(desired) && (name === undefined || name === object.metadata?.name);
}

/** Whatever version of its API an object is read by, it is the same one. */
export function groupKind({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')))}/${kind}`;
}
