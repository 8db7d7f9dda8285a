/** The sum of writes: by kind and writer, and as the circuit breaker of an XR counts them. */
import type { Breakers } from './breaker.ts';
import type { Write } from './recorder.ts';

export interface KindRow {
  readonly kind: string;
  readonly objects: number;
  readonly writes: number;
  /** Writes by field manager, the most frequent first. */
  readonly writers: readonly (readonly [string, number])[];
}

export interface XrRow {
  readonly kind: string;
  readonly xrs: number;
  /** The XR with the most writes to it and to its composed objects. */
  readonly writes: number;
  /**
   * The cost of these writes: a new object is one token, a changed one two: one for its old and one for its new state.
   */
  readonly tokens: number;
  /** Events that Crossplane counted, for all XRs of the kind. */
  readonly events: number;
  /** How often a breaker opened. */
  readonly opened: number;
}

export interface WriteReport {
  readonly kinds: readonly KindRow[];
  readonly xrs: readonly XrRow[];
}

export function reportOf(writes: readonly Write[], breakers: Breakers): WriteReport {
  return { kinds: kindRows(writes), xrs: xrRows(writes, breakers) };
}

function kindRows(writes: readonly Write[]): readonly KindRow[] {
  return [...Map.groupBy(writes, ({ kind }) => kind)]
    .map(([kind, own]) => ({
      kind,
      objects: new Set(own.map(({ name }) => name)).size,
      writes: own.length,
      writers: counted(own.map(({ writer }) => writer)),
    }))
    .toSorted((a, b) => b.writes - a.writes);
}

function xrRows(writes: readonly Write[], breakers: Breakers): readonly XrRow[] {
  const xrs = Map.groupBy(
    new Set(writes.filter(({ isXr }) => isXr).map(({ kind, name }) => `${kind}/${name}`)),
    (xr) => xr.split('/')[0] ?? '',
  );
  return [...xrs].map(([kind, names]) => {
    const loads = names.map((xr) => writesFor(xr, writes)).toSorted((a, b) => tokensOf(b) - tokensOf(a));
    const busiest = loads[0] ?? [];
    const { events, opened } = breakers.get(`${kind.toLowerCase()}s.slipway.dev`) ?? { events: 0, opened: 0 };
    return { kind, xrs: names.length, writes: busiest.length, tokens: tokensOf(busiest), events, opened };
  });
}

/**
 * The events of the breaker of one XR: writes to itself and to its composed objects, except to objects being deleted.
 */
function writesFor(xr: string, writes: readonly Write[]): readonly Write[] {
  return writes.filter(
    ({ kind, name, composedBy, isGoing }) => !isGoing && (composedBy === xr || `${kind}/${name}` === xr),
  );
}

function tokensOf(writes: readonly Write[]): number {
  return writes.reduce((sum, { isCreation }) => sum + (isCreation ? 1 : 2), 0);
}

function counted(words: readonly string[]): readonly (readonly [string, number])[] {
  const groups = [...Map.groupBy(words, (word) => word)];
  return groups.map(([word, all]) => [word, all.length] as const).toSorted(([, a], [, b]) => b - a);
}
