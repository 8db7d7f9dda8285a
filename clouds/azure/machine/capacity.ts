/** Whether Azure had no capacity for a machine that was never created, and the message about it. */
import type { KubeObject } from '#lib/api/json.ts';
import { messageAbout } from '#lib/cloud/capacity.ts';

/** A size that a zone does not offer, or not to this subscription. */
const NOT_AVAILABLE = /\bSkuNotAvailable: .*/;
/** The sentence of an allocation that failed, in one zone or with all that was asked for. */
const NO_ROOM = /\bWe do not have sufficient capacity for the requested VM size in this (?:zone|region)\b/;
/** Codes of the same, for a message that has only them. */
const CODES = /\b(?:Zonal)?AllocationFailed\b/;
const CONSTRAINED = /\bOverconstrained(?:Zonal)?AllocationRequest\b/;

export function lackOfCapacity(machine: KubeObject | undefined): string | undefined {
  return messageAbout([NOT_AVAILABLE, NO_ROOM, CODES, CONSTRAINED], machine);
}
