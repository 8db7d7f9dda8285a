/** Whether Slipway composed the network of a cluster: observed, or recorded with its block. */
import type { Situation } from './situation.ts';

export function hasOwnNetwork({ observed, previous }: Situation): boolean {
  return observed.has('network') || previous.infrastructure?.network?.cidr !== undefined;
}
