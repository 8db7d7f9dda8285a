/** Lays a report over the status of an object. */
import type { Condition } from '#lib/api/conditions.ts';
import { stampOf } from '#lib/api/fields/text.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Report } from './decision.ts';

/**
 * The object with the status that a report asks for; the same object if there is nothing to write.
 * @param now  milliseconds since 1970; the new time of conditions whose status changes
 */
export function withReport(object: KubeObject, { status, conditions, without = [] }: Report, now: number): KubeObject {
  const laid = Object.entries({ ...object.status, ...status }).filter(([, value]) => value !== null);
  const gone: ReadonlySet<string> = new Set(without);
  const before = listAt(object).filter((one) => !gone.has(stringAt(one, 'type') ?? ''));
  const merged = conditions.reduce<readonly JsonObject[]>(
    (list, condition) => placed(list, condition, object.metadata?.generation, now),
    before,
  );
  const { conditions: _old, ...others } = Object.fromEntries(laid);
  const next = { ...others, ...(merged.length === 0 ? {} : { conditions: merged }) };
  return sameJson(next, object.status ?? {}) ? object : { ...object, status: next };
}

function placed(
  list: readonly JsonObject[],
  { type, status, reason, message }: Condition,
  observedGeneration: number | undefined,
  now: number,
): readonly JsonObject[] {
  const present = list.find((one) => one['type'] === type);
  const since = present?.['status'] === status ? stringAt(present, 'lastTransitionTime') : undefined;
  const next: JsonObject = {
    type,
    status,
    reason,
    ...(message === undefined ? {} : { message }),
    lastTransitionTime: since ?? stampOf(now),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  return present === undefined ? [...list, next] : list.map((one) => (one === present ? next : one));
}

function listAt(object: KubeObject): readonly JsonObject[] {
  const list = at(object, 'status', 'conditions');
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}
