/** A machine that is off because a change of its size failed. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { stableMessage } from '#lib/api/provider-message.ts';

/** What the provider does once the machine is stopped, in the words of its errors. */
const AFTER_THE_STOP = /\b(?:deallocating|updating|starting) Linux\b|\bresizing OS Disk\b/;

/**
 * What Azure said; undefined: nothing failed after the stop. Another try starts only a machine that runs when it begins,
 * and once the size is right there is no other try: nobody starts the machine, and nothing reports that it is off.
 */
export function leftOff(observed: KubeObject | undefined): string | undefined {
  const last = conditionOf(observed, 'LastAsyncOperation');
  if (last?.status !== 'False' || last.reason !== 'AsyncUpdateFailure') return undefined;
  const message = stableMessage(`update failed: ${last.message ?? ''}`);
  return AFTER_THE_STOP.test(message) ? `the machine is left off: ${message}` : undefined;
}
