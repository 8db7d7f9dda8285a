/** Conditions as read off objects, and what makes a managed resource ready. */
import { timeOf } from './fields/text.ts';
import { at, isJsonObject, type KubeObject, stringAt } from './json.ts';
import { GROUP } from './words.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** Reason of a Machine's InfrastructureReady: the cloud never made it, since its failure domain has no room for its kind. */
export const INSUFFICIENT_CAPACITY = 'InsufficientCapacity';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** One CamelCase word. */
  readonly reason: string;
  /** One line; the decisive words last, since `crossplane resource trace` shows the last 64 characters. */
  readonly message?: string;
}

export function trueCondition(type: string, reason: string): Condition {
  return { type, status: 'True', reason };
}

export function falseCondition(type: string, reason: string, message?: string): Condition {
  return { type, status: 'False', reason, ...(message === undefined ? {} : { message }) };
}

/** As crossplane-runtime words the conditions of every managed resource. */
export const SYNCED = trueCondition('Synced', 'ReconcileSuccess');
export const DELETING = falseCondition('Ready', 'Deleting');

export function notSynced(message: string): Condition {
  return falseCondition('Synced', 'ReconcileError', message);
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
  return statusIn(at(object, 'status', 'conditions'), type)?.since;
}

/** Of a list of conditions one's status and since when it has it, in milliseconds since 1970. */
export function statusIn(
  list: unknown,
  type: string,
): { readonly status: string | undefined; readonly since: number | undefined } | undefined {
  const found: unknown = Array.isArray(list) ? list.find((item) => stringAt(item, 'type') === type) : undefined;
  if (found === undefined) return undefined;
  return { status: stringAt(found, 'status'), since: timeOf(stringAt(found, 'lastTransitionTime')) };
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

/**
 * From what is not there at all to what its provider has just begun to make. One line for all of it: XRs hand it on to
 * those above them, so that each change of it would be a write to every one of them.
 */
export const NOT_CREATED = 'not created yet';

/** Whether there is nothing of it yet that could be wrong. */
export function isNotCreated(object: KubeObject | undefined): boolean {
  if (object === undefined) return true;
  if (conditionOf(object, 'Synced')?.status === 'False') return false;
  const ready = conditionOf(object, 'Ready');
  return ready === undefined || (ready.status !== 'True' && isBeingMade(object, ready));
}

/** Why a managed resource or XR is not ready, in one line; undefined when it is. */
export function whyNotReady(object: KubeObject | undefined): string | undefined {
  if (isNotCreated(object)) return NOT_CREATED;
  const synced = conditionOf(object, 'Synced');
  if (synced?.status === 'False') return synced.message ?? synced.reason;
  const ready = conditionOf(object, 'Ready');
  return ready?.status === 'True' ? undefined : (ready?.message ?? ready?.reason);
}

/** Providers mean it; Crossplane says it of every XR that is not ready, whatever was made of it. */
function isBeingMade({ apiVersion }: KubeObject, { reason, message }: Condition): boolean {
  return reason === 'Creating' && message === undefined && !apiVersion.startsWith(`${GROUP}/`);
}

/**
 * Whether Crossplane's circuit breaker is open for this XR. It then drops even its user's edits, so that
 * only a short time-to-live of the function's answer picks them up.
 */
export function isUnresponsive(composite: KubeObject): boolean {
  return conditionOf(composite, 'Responsive')?.status === 'False';
}
