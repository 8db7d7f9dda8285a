/** Whether a zone had no capacity for a machine that was never created, and the message about it. */
import type { KubeObject } from '#lib/api/json.ts';
import { messageAbout } from '#lib/cloud/capacity.ts';

/** Codes of Compute Engine, and its sentence for a machine type that a zone does not offer. */
const LACKS =
  /\b(?:ZONE_RESOURCE_POOL_EXHAUSTED(?:_WITH_DETAILS)?|The zone '[^']+' does not have enough resources available)\b.*/;
const UNSUPPORTED = /\bMachine type with name '[^']+' does not exist in zone '[^']+'.*/;

export function lackOfCapacity(instance: KubeObject | undefined): string | undefined {
  return messageAbout([LACKS, UNSUPPORTED], instance);
}
