/** The input of decisions about a machine on a host of somebody else. */
import type { MachineSituation } from '#lib/cloud/machine.ts';

export type Situation = MachineSituation;
