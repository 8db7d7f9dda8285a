/** The pool's machines that are on their way out: they still count, and hold their names and serial numbers. */
import { at, type KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { serialOf } from './machines.ts';
import type { Situation } from './situation.ts';

/**
 * What was required comes from a cache that may not know yet that Crossplane deletes one:
 * then it is still the pool's own, and not among what is observed any more.
 */
export function leavingOf(all: readonly KubeObject[], { observed }: Request): readonly KubeObject[] {
  const pool = observed.composite.metadata?.uid;
  const seen = new Set([...observed.resources.values()].map(({ resource }) => resource.metadata?.uid));
  const isOwn = ({ metadata }: KubeObject): boolean => {
    const owners = metadata?.['ownerReferences'];
    return Array.isArray(owners) && owners.some((owner) => pool !== undefined && at(owner, 'uid') === pool);
  };
  return all.filter((machine) => {
    const { uid, deletionTimestamp } = machine.metadata ?? {};
    return deletionTimestamp !== undefined || (uid !== undefined && !seen.has(uid) && isOwn(machine));
  });
}

/** Counted by what is seen, not by what is desired: a call that is made again, before its machines are seen, gives the same names. */
export function nextSerial({ machines, previous }: Situation, leaving: readonly KubeObject[]): number {
  const seen = [...machines.map(({ serial }) => serial), ...leaving.map(serialOf)];
  return seen.reduce((next, serial) => Math.max(next, serial + 1), previous.nextSerial);
}
