/** Fields that do not change now: an object that exists keeps what it has, whatever a new one would get. */
import { isJsonObject, type Json, type KubeObject } from '#lib/api/json.ts';
import { type Path, valueAt } from './change.ts';
import type { Decided, FieldDecision } from './decision.ts';

/**
 * The desired object with the old value of every field about which something else was decided than `applied`. A field that
 * somebody else added is not among them: it stays by itself, and must not become ours, or nobody could take it out.
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
  const next = set(object[step], rest, value);
  if (next !== undefined) return { ...object, [step]: next };
  const { [step]: _gone, ...others } = object;
  return others;
}
