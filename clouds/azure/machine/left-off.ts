/** A machine that is off because a change of its size failed. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { stableMessage } from '#lib/api/provider-message.ts';

/** What the provider does once the machine is stopped, in the words of its errors. */
const AFTER_THE_STOP = /\b(?:deallocating|updating|starting) Linux\b|\bresizing OS Disk\b/;

/**
 * The message of Azure; undefined: nothing failed after the stop. The provider starts a machine again only if the machine
 * runs when the update begins. So the machine stays off, and no condition says so.
 */
export function leftOff(observed: KubeObject | undefined): string | undefined {
  const last = conditionOf(observed, 'LastAsyncOperation');
  if (last?.status !== 'False' || last.reason !== 'AsyncUpdateFailure') return undefined;
  const message = stableMessage(`update failed: ${last.message ?? ''}`);
  return AFTER_THE_STOP.test(message) ? `the machine is left off: ${message}` : undefined;
}
