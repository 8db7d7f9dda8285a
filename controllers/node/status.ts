/** The status that a report asks for, and whether it is worth a write. */
import type { Condition } from '#lib/api/conditions.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Report } from '#lib/node/decision.ts';

/**
 * Seconds between writes that only change words. Each write is an event for the Machine above, and Crossplane counts
 * those.
 */
export const QUIET = 10;

/** The object with the status of the report. A condition keeps its time as long as its status is the same. */
export function reported(object: KubeObject, { status, conditions }: Report, now: number): KubeObject {
  const stamp = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const before = conditionsOf(object);
  const types = new Set(conditions.map(({ type }) => type));
  const after = [
    ...before.filter((condition) => !types.has(stringAt(condition, 'type') ?? '')),
    ...conditions.map((condition) => stamped(condition, before, stamp, object.metadata?.generation)),
  ];
  return { ...object, status: { ...object.status, ...status, conditions: after } };
}

/** `None`: nothing changed. `Soon`: only words did. */
export function worthOf(before: KubeObject, after: KubeObject): 'None' | 'Soon' | 'Now' {
  if (sameJson(before.status ?? {}, after.status ?? {})) return 'None';
  return sameJson(factsOf(before), factsOf(after)) ? 'Soon' : 'Now';
}

function stamped(
  { type, status, reason, message }: Condition,
  before: readonly JsonObject[],
  stamp: string,
  generation: number | undefined,
): JsonObject {
  const same = before.find((one) => one['type'] === type);
  const since = same?.['status'] === status ? stringAt(same, 'lastTransitionTime') : undefined;
  return {
    type,
    status,
    reason,
    ...(message === undefined || message === '' ? {} : { message }),
    lastTransitionTime: since ?? stamp,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

/** Everything but messages and times. */
function factsOf(object: KubeObject): Json {
  const { conditions: _conditions, update, ...rest } = object.status ?? {};
  return {
    ...rest,
    update: [stringAt(update, 'id') ?? '', stringAt(update, 'phase') ?? ''],
    conditions: conditionsOf(object).map(({ type, status, reason }) => [type ?? '', status ?? '', reason ?? '']),
  };
}

function conditionsOf(object: KubeObject): readonly JsonObject[] {
  const conditions = at(object, 'status', 'conditions');
  return Array.isArray(conditions) ? (conditions as readonly Json[]).filter(isJsonObject) : [];
}
