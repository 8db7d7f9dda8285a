/**
 * Fields of a virtual machine that stay as they were created, because its cloud could only change them by stopping or
 * replacing it: which they are, what a claim asks of them by now, and whether a new size runs yet.
 */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type Json, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { mergePatch, overrideMatches } from '#lib/fn/overrides.ts';
import type { MachineSituation } from './machine.ts';

/** What the virtual machine of a Machine is composed as. */
export interface Composed {
  /** Composition resource name. */
  readonly key: string;
  readonly kind: string;
}

type Of = Pick<MachineSituation, 'machine'>;

/** Below spec.forProvider. */
type Path = readonly string[];

/** The fields as they are; those that are not set are left out. @param existing spec.forProvider as observed */
export function keptFields(existing: Json | undefined, fields: readonly string[]): JsonObject {
  const kept = fields.map((field) => [field, at(existing, field)] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/**
 * The fields as they are, or with the size and image that the claim means by now if the cloud refused to create the
 * machine: its provider tries again with whatever is desired, and nothing exists that a change could stop.
 *
 * @param asked below spec.forProvider; undefined values and null: the field stays, or is removed
 */
export function keptOrAskedAgain(observed: KubeObject, fields: readonly string[], asked: Asked): JsonObject {
  const kept = keptFields(at(observed, 'spec', 'forProvider'), fields);
  if (!creationFailed(observed)) return kept;
  const known = Object.entries(asked).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return mergePatch(kept, Object.fromEntries(known)) as JsonObject;
}

type Asked = Readonly<Record<string, Json | undefined>>;

function creationFailed(observed: KubeObject): boolean {
  if (stringAt(observed, 'status', 'atProvider', 'id') !== undefined) return false;
  const last = conditionOf(observed, 'LastAsyncOperation');
  return last?.status === 'False' && last.reason === 'AsyncCreateFailure';
}

/** Whether the claim itself says what the provider gets there. */
export function isOverridden({ machine }: Of, { key, kind }: Composed, path: Path): boolean {
  return machine.spec.infrastructure.overrides.some(
    (override) =>
      overrideMatches(override, key, kind) && at(override.patch, 'spec', 'forProvider', ...path) !== undefined,
  );
}

/**
 * Fields in which the claim differs from the machine as it is; one that an override sets is not compared.
 * @param wanted undefined: not known any more @param made spec.forProvider as it will be
 */
export function differingFields(
  situation: Of,
  composed: Composed,
  wanted: readonly (readonly [path: Path, value: Json | undefined])[],
  made: JsonObject,
): readonly string[] {
  return wanted
    .filter(([path, value]) => value !== undefined && !sameJson(at(made, ...path) ?? null, value))
    .filter(([path]) => !isOverridden(situation, composed, path))
    .map(([path]) => path.join('.'));
}

/** Why a size that is desired does not run yet: a cloud reports the size of a machine only once it has it. */
export function unfinishedSize(
  situation: Of,
  composed: Composed,
  observed: KubeObject | undefined,
  field: string,
  wanted: string,
): string | undefined {
  const reported = stringAt(observed, 'status', 'atProvider', field);
  if (reported === wanted || isOverridden(situation, composed, [field])) return undefined;
  return `${field} is ${reported ?? 'not known'}, expected ${wanted}`;
}
