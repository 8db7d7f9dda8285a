/** The result of a simulation: the time line, the objects, and the cost. */
import type { CompositeFacts, Snapshot } from '#simulator/engine.ts';
import { legible } from '../terminal/legible.ts';
import type { Style } from '../terminal/style.ts';
import { duration, table } from '../terminal/table.ts';

/** @param width columns of the terminal */
export function timelineLines(
  { timeline }: Pick<Snapshot, 'timeline'>,
  style: Style,
  width?: number,
): readonly string[] {
  return table(
    timeline.map(({ at, ref, text }) => [
      style('quiet', duration(at).padStart(7)),
      `${ref.kind} ${ref.name}`,
      legible(text),
    ]),
    { width },
  );
}

/**
 * @param width columns of the terminal
 * @param real seconds the simulation took and the slowest calls: for people, never in JSON
 */
export function summaryLines(
  snapshot: Snapshot,
  real: { readonly seconds: number; readonly p95: number },
  style: Style,
  width?: number,
): readonly string[] {
  const { composites, counters } = snapshot;
  const kinds = Map.groupBy(composites, ({ kind }) => kind);
  const resources = composites.flatMap(({ composed }) => composed).filter(({ kind }) => !kinds.has(kind));
  const calls = sum(counters.functionCalls);
  const created = sum(counters.cloudCreated);
  const deleted = sum(counters.cloudDeleted);
  // A machine deletes the secret of its first boot once it has read it.
  const byMachines = created - deleted - counters.cloudObjects;
  const rows = [
    ...[...kinds].map(([kind, xrs]) => [plural(kind), String(xrs.length), statesOf(xrs)]),
    ['Resources', String(resources.length), byKind(resources.map(({ kind }) => kind))],
    [
      'Cloud',
      String(counters.cloudObjects),
      `${created} created, ${deleted} deleted${byMachines > 0 ? `, ${byMachines} secrets deleted by their machines` : ''}`,
    ],
    ['Nodes', String(counters.nodesJoined), `${counters.machinesBooted} booted, ${counters.nodesDrained} drained`],
    ['Calls', String(calls), `${counters.failedCalls} failed, 95% under ${real.p95.toFixed(0)} ms`],
    ['Time', duration(snapshot.seconds), `simulated in ${real.seconds.toFixed(1)} s`],
  ];
  return table(
    rows.map(([what = '', count = '', detail = '']) => [
      style('strong', what),
      count.padStart(7),
      style('quiet', detail),
    ]),
    { width },
  );
}

function plural(kind: string): string {
  return `${kind}s`;
}

function statesOf(xrs: readonly CompositeFacts[]): string {
  const ready = xrs.filter((xr) => xr.ready && xr.synced).length;
  return ready === xrs.length ? 'all ready' : `${ready} ready`;
}

function byKind(kinds: readonly string[]): string {
  const counts = [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length] as const);
  return counts
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, 5)
    .map(([kind, count]) => `${count} ${kind}`)
    .concat(counts.length > 5 ? [`${counts.length - 5} more kinds`] : [])
    .join(', ');
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
