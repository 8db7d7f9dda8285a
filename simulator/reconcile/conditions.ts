/** Conditions as in Crossplane: one per type, with a new time whenever anything in one changes. */
import type { Condition } from '#lib/api/conditions.ts';
import { type Json, type KubeObject, isJsonObject } from '#lib/api/json.ts';
import { metaOf } from '../store/object.ts';

export interface StoredCondition extends Condition {
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** Condition types that are reserved for Crossplane. */
const SYSTEM = new Set(['Ready', 'Synced', 'Healthy', 'UpToDate', 'Responsive']);

export function isSystemCondition(type: string): boolean {
  return SYSTEM.has(type);
}

export function conditionsOf(object: KubeObject): readonly StoredCondition[] {
  const conditions = object.status?.['conditions'];
  return Array.isArray(conditions) ? (conditions.filter(isJsonObject) as unknown as readonly StoredCondition[]) : [];
}

/**
 * The object with these conditions; an unchanged one keeps its time.
 * @param observe whether to add the observed generation, as Crossplane does for its own conditions
 */
export function marked(
  object: KubeObject,
  conditions: readonly Condition[],
  stamp: string,
  observe: boolean,
): KubeObject {
  const { generation = 0 } = metaOf(object);
  let list = conditionsOf(object);
  for (const condition of conditions) list = placed(list, stored(condition, stamp, observe ? generation : 0));
  return { ...object, status: { ...object.status, conditions: list as unknown as Json } };
}

function stored({ type, status, reason, message }: Condition, stamp: string, generation: number): StoredCondition {
  return {
    type,
    status,
    lastTransitionTime: stamp,
    reason,
    ...(message === undefined || message === '' ? {} : { message }),
    ...(generation === 0 ? {} : { observedGeneration: generation }),
  };
}

function placed(list: readonly StoredCondition[], condition: StoredCondition): readonly StoredCondition[] {
  if (!list.some(({ type }) => type === condition.type)) return [...list, condition];
  return list.map((present) => (present.type === condition.type && !isSame(present, condition) ? condition : present));
}

function isSame(left: StoredCondition, right: StoredCondition): boolean {
  if (left.status !== right.status || left.reason !== right.reason || left.message !== right.message) return false;
  const { observedGeneration: a = 0 } = left;
  const { observedGeneration: b = 0 } = right;
  return a === 0 || b === 0 || a === b;
}
