/** Fields that do not change now: an existing object keeps their values, even if a new object would get others. */
import { isJsonObject, type Json, type KubeObject, own } from '#lib/api/json.ts';
import { type Path, valueAt } from './change.ts';
import type { Decided, FieldDecision } from './decision.ts';

/**
 * The desired object with the old value of every field with a decision other than `applied`. A field that another
 * manager added is not included: it stays anyway, and must not become ours, or nobody could remove it.
 */
export function keepOthers(
  desired: KubeObject,
  fields: readonly Decided[],
  applied: readonly FieldDecision[],
): KubeObject {
  return fields
    .filter(({ decision }) => !applied.includes(decision))
    .filter(({ hold, path }) => hold !== 'Edit' || valueAt(desired, path) !== undefined)
    .reduce<KubeObject>((object, { path, old }) => set(object, path, old) as unknown as KubeObject, desired);
}

function set(target: Json | KubeObject | undefined, path: Path, value: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(target) ? [...(target as readonly Json[])] : [];
    list[step] = set(list[step], rest, value) ?? null;
    return list;
  }
  const object = isJsonObject(target) ? target : {};
  const next = set(own(object, step), rest, value);
  if (next !== undefined) return { ...object, [step]: next };
  const { [step]: _gone, ...others } = object;
  return others;
}
