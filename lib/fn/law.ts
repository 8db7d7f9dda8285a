/**
 * What a response may remove. Crossplane deletes observed resources that no step desires, so this is enforced: a step
 * declares which existing objects it is responsible for and which of them may be removed, and a response that violates
 * this is never returned.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import type { Desired, Request } from './request.ts';

/** An observed composed object that is not being deleted, under its composition resource name. */
export interface Existing {
  readonly key: string;
  readonly object: KubeObject;
}

export interface Removal {
  readonly gone: readonly Existing[];
  readonly staying: readonly Existing[];
  /** What the answer desires, by composition resource name. */
  readonly desired: ReadonlyMap<string, Desired>;
}

export interface Law {
  /**
   * Whether this step is responsible for the object, of which only identity and metadata are known. Other steps are
   * responsible for all others.
   */
  readonly answersFor: (existing: Existing) => boolean;
  /**
   * Why some of the removed objects may not be removed; undefined: all may. Only called if something would be removed.
   */
  readonly objection: (removal: Removal) => string | undefined;
}

/** For a step whose objects may be lost without harm, or for which a later step is responsible. */
export const ANSWERS_FOR_NOTHING: Law = { answersFor: () => false, objection: () => undefined };

/** For a step whose objects are deleted with their XR and never before. */
export function keeps(answersFor: Law['answersFor']): Law {
  return { answersFor, objection: () => 'none of them may be removed while the claim exists' };
}

/** Throws UnlawfulRemoval. */
export function enforceLaw(law: Law, { observed }: Request, desired: ReadonlyMap<string, Desired>): void {
  const heads = [...observed.resources]
    .map(([key, one]) => ({ key, object: one.head ?? one.resource }))
    .filter((one) => one.object.metadata?.deletionTimestamp === undefined && law.answersFor(one));
  const stays = ({ key, object }: Existing): boolean => isSame(object, desired.get(key)?.resource);
  if (heads.every(stays)) return;
  const existing = heads.map(({ key, object }) => ({ key, object: observed.resources.get(key)?.resource ?? object }));
  const gone = existing.filter((one) => !stays(one));
  const why = law.objection({ gone, staying: existing.filter(stays), desired });
  if (why === undefined) return;
  const names = gone.map(({ object }) => describeObject(object)).toSorted();
  throw new SlipwayError(
    'UnlawfulRemoval',
    `cannot answer for ${describeObject(observed.composite)}: it would remove ${firstNames(names, 3)}: ${why}`,
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
