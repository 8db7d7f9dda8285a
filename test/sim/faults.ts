/** Faults in a run, as the share of machines, steps or calls with each. */
import type { Chance } from './chance.ts';

export interface Faults {
  /** A machine never becomes a node: the cloud loses it, or it just never registers. */
  readonly neverUp: number;
  /** A ready node stops being ready for a few steps. */
  readonly flaps: number;
  /** The cloud is slow with a machine. */
  readonly slow: number;
  /** An update in place fails on a machine. */
  readonly failedUpdates: number;
  /** Crossplane stops during a call. */
  readonly cut: number;
  /** Crossplane reads what its caches had one call ago. */
  readonly stale: number;
  /** Crossplane reads the pool as it was before it wrote to it last: with the references and the status of then. */
  readonly late: number;
  /** One call does not observe one machine that exists. */
  readonly missing: number;
  /** One call observes no machine at all. */
  readonly blind: number;
  /** One call observes the machines under another API version. */
  readonly foreign: number;
  /** A user deletes, annotates or edits a machine. */
  readonly byHand: number;
  /** The release before or after this one answers a call. */
  readonly release: number;
}

export const CALM: Faults = {
  neverUp: 0,
  flaps: 0,
  slow: 0,
  failedUpdates: 0,
  cut: 0,
  stale: 0,
  late: 0,
  missing: 0,
  blind: 0,
  foreign: 0,
  byHand: 0,
  release: 0,
};

const ROUGH: Faults = {
  neverUp: 0.06,
  flaps: 0.02,
  slow: 0.2,
  failedUpdates: 0.05,
  cut: 0.2,
  stale: 0.2,
  late: 0.1,
  missing: 0.06,
  blind: 0.03,
  foreign: 0.03,
  byHand: 0.08,
  release: 0.1,
};

/** The number of kinds of faults of a seed: few enough to find the cause, and each pair of them is frequent. */
const KINDS = 0.4;

/** The faults of one seed. */
export function randomFaults(chance: Chance): Faults {
  const kinds = Object.keys(ROUGH) as (keyof Faults)[];
  const drawn = kinds.map((kind) => [kind, chance.happens(KINDS) ? ROUGH[kind] : 0] as const);
  return { ...CALM, ...(Object.fromEntries(drawn) as Partial<Faults>) };
}

/** Its kinds, for the log. */
export function kindsOf(faults: Faults): string {
  const kinds = Object.entries(faults).flatMap(([kind, share]) => (share > 0 ? [kind] : []));
  return kinds.length === 0 ? 'none' : kinds.join(', ');
}
