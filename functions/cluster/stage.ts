/** How far a cluster has come: what was accepted of it is known only from its infrastructure and its control plane. */
import { CONTROL_PLANE } from './control-plane.ts';
import type { Situation } from './situation.ts';

type Seen = Pick<Situation, 'observed' | 'previous'>;

/** Nothing of it was accepted yet. One with a control plane has lost its status. */
export function isNewCluster({ observed, previous }: Seen): boolean {
  return previous.infrastructure === undefined && !observed.has(CONTROL_PLANE);
}

/** It has infrastructure and no control plane: nobody knows with which machines it was accepted. */
export function isBetween({ observed, previous }: Seen): boolean {
  return previous.infrastructure !== undefined && !observed.has(CONTROL_PLANE);
}
