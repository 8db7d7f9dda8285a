/** What is refused of a pool although machines of it are so: they stay, and get no others beside them. */
import { fieldAndCause, type SlipwayError } from '#lib/api/errors.ts';
import type { PoolMachine } from './machines.ts';

/** Throws the error unless a machine was made so. @returns why no machine like the claim is created */
export function tolerated(
  error: SlipwayError,
  machines: readonly PoolMachine[],
  hasIt: (machine: PoolMachine) => boolean,
): string {
  if (machines.some(hasIt)) return fieldAndCause(error);
  throw error;
}

export function noMachine(because: string): string {
  return `no machine is created: ${because}`;
}
