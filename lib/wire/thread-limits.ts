/** What the threads of a function may take: docs/decisions/0029-a-call-ends.md says what calls need. */
import { availableParallelism } from 'node:os';
import type { ThreadLimits } from './threads.ts';

/** A small call takes some milliseconds. One that takes longer than `patience` lets no other wait for it. */
export const SMALL: ThreadLimits = {
  threads: 4,
  patience: 250,
  waiting: 64 * 1024 * 1024,
  deadline: 20_000,
  heap: 512,
};

/**
 * One processor is left for gRPC and probes. Requests that wait are in memory. Crossplane waits two minutes at most: that
 * is how long one of its reconciles may take.
 */
export const LARGE: ThreadLimits = {
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  patience: 0,
  waiting: 256 * 1024 * 1024,
  deadline: 120_000,
  heap: 1024,
};
