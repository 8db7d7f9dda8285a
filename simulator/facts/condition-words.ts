/** How the timeline says a condition. */
import type { Condition } from '#lib/api/conditions.ts';

/** What goes on and comes to an end, such as ScalingUp; that Available ends is another matter. */
const ACTIVITY = /ing(?:Up|Down|Out)?$/;

/** @param condition  undefined: the object has none that is false */
export function conditionWords(condition: Condition | undefined): string {
  if (condition === undefined) return 'not ready any more';
  const { type, status, reason, message } = condition;
  if (status === 'True') return type;
  if (ACTIVITY.test(type) && message === undefined && reason === `Not${type}`) return `${type} is over`;
  return `${type} is ${status}: ${message ?? reason}`;
}
