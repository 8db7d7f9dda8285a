/** What a cluster waits for, in one line: refusals first, then by name, at most three. */
import { conditionOf } from '#lib/api/conditions.ts';
import { oneLine } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { atMostThree } from '#lib/api/shortened.ts';

export interface Pending {
  /** `NATGateway prod-nat-eu-west-1a` */
  readonly what: string;
  readonly why: string;
  /** True if the provider or the cloud refuses it, so that waiting alone does not help. */
  readonly refused: boolean;
}

export function pendingOf(desired: KubeObject, observed: KubeObject | undefined, why: string): Pending {
  const synced = conditionOf(observed, 'Synced');
  // The beginning of the message of providers; its reason is always ReconcileError.
  const unresolved = why.startsWith('cannot resolve references');
  return {
    what: `${desired.kind} ${desired.metadata?.name ?? '?'}`,
    why: unresolved ? 'it refers to an object whose id is not known yet' : oneLine(why).slice(0, 300),
    refused: synced?.status === 'False' && !unresolved,
  };
}

/** `waiting for A: why; B: why; C: why; and 4 more`; undefined when nothing is pending. */
export function waitingFor(pending: readonly Pending[]): string | undefined {
  if (pending.length === 0) return undefined;
  const sorted = pending.toSorted(
    (a, b) => Number(b.refused) - Number(a.refused) || (a.what < b.what ? -1 : a.what > b.what ? 1 : 0),
  );
  return `waiting for ${atMostThree(sorted.map(({ what, why }) => `${what}: ${why}`))}`;
}
