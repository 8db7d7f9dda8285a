/** What a deletion does with what an object owns. */

export const PROPAGATIONS = ['Background', 'Foreground', 'Orphan'] as const;
export type Propagation = (typeof PROPAGATIONS)[number];

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/** The finalizers of the garbage collector, by what a deletion requests first. */
export const COLLECTOR: Readonly<Record<Propagation, readonly string[]>> = {
  Background: [],
  Foreground: [FOREGROUND],
  Orphan: [ORPHAN],
};
