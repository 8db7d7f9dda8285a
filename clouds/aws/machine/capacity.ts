/** Whether AWS had no capacity for an instance that was never created, and the message about it. */
import type { KubeObject } from '#lib/api/json.ts';
import { messageAbout } from '#lib/cloud/capacity.ts';

/** EC2 error codes, as they appear in messages of the provider. */
const CODES = [
  'InsufficientInstanceCapacity',
  'InsufficientHostCapacity',
  'InsufficientReservedInstanceCapacity',
  'InsufficientCapacity',
] as const;

const LACKS = new RegExp(`\\b(?:${CODES.join('|')}): .*`);
/** The code is generic; this is the EC2 message for a type that a zone does not offer at all. */
const UNSUPPORTED =
  /\bUnsupported: [^()\n]{0,99}\binstance type \(\S{1,99}\) is not supported in your requested Availability Zone\b.*/;

export function lackOfCapacity(instance: KubeObject | undefined): string | undefined {
  return messageAbout([LACKS, UNSUPPORTED], instance);
}
