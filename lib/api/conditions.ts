/** Conditions as read off objects, and what makes a managed resource ready. */
import { timeOf } from './fields/text.ts';
import { at, isJsonObject, type KubeObject, stringAt } from './json.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** One CamelCase word. */
  readonly reason: string;
  /** One line; the decisive words last, since `crossplane resource trace` shows the last 64 characters. */
  readonly message?: string;
}

/** A condition of an observed object; undefined when it has none of that type or garbage in its place. */
export function conditionOf(object: KubeObject | undefined, type: string): Condition | undefined {
  const list = at(object, 'status', 'conditions');
  if (!Array.isArray(list)) return undefined;
  const found: unknown = list.find((item) => isJsonObject(item) && item['type'] === type);
  const status = stringAt(found, 'status');
  if (status !== 'True' && status !== 'False' && status !== 'Unknown') return undefined;
  const message = stringAt(found, 'message');
  return {
    type,
    status,
    reason: stringAt(found, 'reason') ?? 'Unknown',
    ...(message === undefined ? {} : { message }),
  };
}

/**
 * True when the provider made the object and agrees with its present spec. Ready alone is not enough: an
 * object whose change the provider refuses stays Ready=True and turns Synced=False.
 */
export function isManagedReady(object: KubeObject | undefined): boolean {
  return conditionOf(object, 'Ready')?.status === 'True' && conditionOf(object, 'Synced')?.status !== 'False';
}

/**
 * True when an XR says so. Its Synced tells how its last pipeline went: it is False for every XR while a function is
 * upgraded or the network fails, and a machine is none the worse for that.
 */
export function isCompositeReady(object: KubeObject | undefined): boolean {
  return conditionOf(object, 'Ready')?.status === 'True';
}

/**
 * Since when a condition of an observed object is what it is, in milliseconds since 1970; undefined when it has none of
 * that type, or nobody says. Crossplane writes a new time also when only the message changes.
 */
export function transitionOf(object: KubeObject | undefined, type: string): number | undefined {
  const list = at(object, 'status', 'conditions');
  if (!Array.isArray(list)) return undefined;
  const found: unknown = list.find((item) => isJsonObject(item) && item['type'] === type);
  return timeOf(stringAt(found, 'lastTransitionTime'));
}

/**
 * When an XR counts as available: `minReadySeconds` after it became ready, in milliseconds since 1970. Undefined while
 * it is not ready, and when it must have been for some time and nobody says since when.
 */
export function availableAt(object: KubeObject | undefined, minReadySeconds: number): number | undefined {
  if (!isCompositeReady(object)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = transitionOf(object, 'Ready');
  return since === undefined ? undefined : since + minReadySeconds * 1000;
}

/** Why a managed resource or XR is not ready, in one line; undefined when it is. */
export function whyNotReady(object: KubeObject | undefined): string | undefined {
  if (object === undefined) return 'not created yet';
  const synced = conditionOf(object, 'Synced');
  if (synced?.status === 'False') return synced.message ?? synced.reason;
  const ready = conditionOf(object, 'Ready');
  if (ready?.status === 'True') return undefined;
  if (ready === undefined) return 'no Ready condition yet';
  return ready.message ?? ready.reason;
}

/**
 * Whether Crossplane's circuit breaker is open for this XR. It then drops even its user's edits, so that
 * only a short time-to-live of the function's answer picks them up.
 */
export function isUnresponsive(composite: KubeObject): boolean {
  return conditionOf(composite, 'Responsive')?.status === 'False';
}
