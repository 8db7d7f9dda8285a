/** Whether a status is worth a write. */
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, sameJson, stringAt } from '#lib/api/json.ts';
import { DRAIN_TIMES } from '#lib/node/waiting.ts';

/**
 * Seconds between writes that only change words. Each write is an event for the Machine above, and Crossplane counts
 * those.
 */
export const QUIET = 10;

/** `None`: nothing changed. `Soon`: only words did. */
export function worthOf(before: KubeObject, after: KubeObject): 'None' | 'Soon' | 'Now' {
  if (sameJson(before.status ?? {}, after.status ?? {})) return 'None';
  return sameJson(factsOf(before), factsOf(after)) ? 'Soon' : 'Now';
}

/** Everything but messages and times. */
function factsOf(object: KubeObject): Json {
  const { conditions: _conditions, update, drain, ...rest } = object.status ?? {};
  return {
    ...rest,
    drain: DRAIN_TIMES.map((key) => stringAt(drain, key) ?? ''),
    update: [stringAt(update, 'id') ?? '', stringAt(update, 'phase') ?? ''],
    conditions: conditionsOf(object).map(({ type, status, reason }) => [type ?? '', status ?? '', reason ?? '']),
  };
}

function conditionsOf(object: KubeObject): readonly JsonObject[] {
  const conditions = at(object, 'status', 'conditions');
  return Array.isArray(conditions) ? (conditions as readonly Json[]).filter(isJsonObject) : [];
}
