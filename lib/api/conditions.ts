/** Reads conditions of objects, and decides when a managed resource is ready. */
import { timeOf } from './fields/text.ts';
import { at, isJsonObject, type KubeObject, stringAt } from './json.ts';
import { stableMessage } from './provider-message.ts';
import { GROUP } from './words.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/**
 * Reason of InfrastructureReady of a Machine: the cloud could not create it, because its failure domain has no
 * capacity.
 */
export const INSUFFICIENT_CAPACITY = 'InsufficientCapacity';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** One CamelCase word. */
  readonly reason: string;
  /** One line; the most important words last, because `crossplane resource trace` shows the last 64 characters. */
  readonly message?: string;
}

export function trueCondition(type: string, reason: string): Condition {
  return { type, status: 'True', reason };
}

export function falseCondition(type: string, reason: string, message?: string): Condition {
  return { type, status: 'False', reason, ...(message === undefined ? {} : { message }) };
}

/** The conditions that crossplane-runtime sets on every managed resource. */
export const SYNCED = trueCondition('Synced', 'ReconcileSuccess');
export const DELETING = falseCondition('Ready', 'Deleting');

export function notSynced(message: string): Condition {
  return falseCondition('Synced', 'ReconcileError', message);
}

/** A condition of an observed object; undefined if it has none of that type, or an invalid one. */
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
 * True if the provider created the object and agrees with its current spec. Ready alone is not enough: an object with a
 * refused change stays Ready=True and becomes Synced=False.
 */
export function isManagedReady(object: KubeObject | undefined): boolean {
  return conditionOf(object, 'Ready')?.status === 'True' && conditionOf(object, 'Synced')?.status !== 'False';
}

/**
 * True if the XR is Ready. Its Synced only describes its last pipeline run: it is False for every XR while a function
 * is upgraded or the network fails, which does not affect a machine.
 */
export function isCompositeReady(object: KubeObject | undefined): boolean {
  return conditionOf(object, 'Ready')?.status === 'True';
}

/**
 * Since when a condition of an observed object has its status, in milliseconds since 1970; undefined if it has none of
 * that type, or if the time is not known. Crossplane also sets a new time if only the message changes.
 */
export function transitionOf(object: KubeObject | undefined, type: string): number | undefined {
  return statusIn(at(object, 'status', 'conditions'), type)?.since;
}

/** The status of one condition in a list, and since when, in milliseconds since 1970. */
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
 * it is not ready, or if the time is needed and not known.
 */
export function availableAt(object: KubeObject | undefined, minReadySeconds: number): number | undefined {
  if (!isCompositeReady(object)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = transitionOf(object, 'Ready');
  return since === undefined ? undefined : since + minReadySeconds * 1000;
}

/**
 * For everything from a missing object to one whose creation has just begun. It is one message, because XRs pass it to
 * their parents, and each change would be a write to all of them.
 */
export const NOT_CREATED = 'not created yet';

/** The same from the first call for a machine until its kubelet registers. */
export function waitingForNode(name: string): string {
  return `waiting for Node "${name}" to register`;
}

/** Whether nothing was created yet that could fail. */
export function isNotCreated(object: KubeObject | undefined): boolean {
  if (object === undefined) return true;
  const [synced, ready] = [conditionOf(object, 'Synced'), conditionOf(object, 'Ready')];
  if (synced?.status === 'False') return waitsForReferred(synced) && ready?.status !== 'True';
  return ready === undefined || (ready.status !== 'True' && isBeingMade(object, ready));
}

/** In the words of crossplane-runtime. The object that is referred to says by itself why it is not there. */
function waitsForReferred({ message }: Condition): boolean {
  return message?.endsWith('referenced field was empty (referenced resource may not yet be ready)') === true;
}

/**
 * Why a managed resource or XR is not ready, in one line that stays the same until something changes; undefined when it
 * is.
 */
export function whyNotReady(object: KubeObject | undefined): string | undefined {
  if (isNotCreated(object)) return NOT_CREATED;
  const synced = conditionOf(object, 'Synced');
  if (synced?.status === 'False') return said(synced);
  const ready = conditionOf(object, 'Ready');
  return ready?.status === 'True' || ready === undefined ? undefined : said(ready);
}

function said({ message, reason }: Condition): string {
  return message === undefined ? reason : stableMessage(message);
}

/** Providers set it deliberately; Crossplane sets it on every XR that is not ready. */
function isBeingMade({ apiVersion }: KubeObject, { reason, message }: Condition): boolean {
  return reason === 'Creating' && message === undefined && !apiVersion.startsWith(`${GROUP}/`);
}

/**
 * Whether the circuit breaker of Crossplane is open for this XR. It then even drops edits by users, which are only
 * noticed with a short time-to-live of the response.
 */
export function isUnresponsive(composite: KubeObject): boolean {
  return conditionOf(composite, 'Responsive')?.status === 'False';
}
