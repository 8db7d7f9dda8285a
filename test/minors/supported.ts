/**
 * The minor versions of Kubernetes that examples, Compositions, labs and validators support, each with the patch release
 * of it that labs and validators build. docs/new-minor.md says what follows from a new line.
 */
export const SUPPORTED = {
  '1.35': 'v1.35.5',
  '1.36': 'v1.36.2',
  '1.37': 'v1.37.2',
} as const;

/** What labs run, and what examples claim at last. */
export const CURRENT = SUPPORTED['1.37'];

/** What real nodes are upgraded from. */
export const BEFORE = SUPPORTED['1.36'];
