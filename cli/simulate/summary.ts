/** The result of a simulation: the time line, the objects, and the cost. */
import type { CompositeFacts, Counters, Snapshot } from '#simulator/engine.ts';
import { counted } from '#lib/api/counted.ts';
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
  const rows = [
    ...[...kinds].map(([kind, xrs]) => [plural(kind), String(xrs.length), statesOf(xrs)]),
    ['Resources', String(resources.length), byKind(resources.map(({ kind }) => kind))],
    ['Cloud', String(counters.cloudObjects), cloudText(counters.cloudObjects, created, deleted)],
    ['Nodes', String(counters.nodesJoined), nodesText(counters)],
    ['Calls', String(calls), `${counters.failedCalls} failed, 95% under ${real.p95.toFixed(0)} ms`],
    ['Time', duration(snapshot.seconds), `simulated in ${real.seconds.toFixed(1)} s`],
  ];
  return table(
    rows.map(([what = '', count = '', detail = '']) => [
      style('strong', what),
      count.padStart(7),
      detail === '' ? '' : style('quiet', detail),
    ]),
    { width },
  );
}

function plural(kind: string): string {
  return `${kind}s`;
}

/** A machine that booted is a node once it has joined. */
function nodesText({ machinesBooted, nodesJoined, nodesDrained }: Counters): string {
  const others = Math.max(0, machinesBooted - nodesJoined);
  return [
    `${machinesBooted} booted`,
    ...(others > 0 ? [`${others} of them no node`] : []),
    `${nodesDrained} drained`,
  ].join(', ');
}

/** A machine deletes the secret of its first boot once it has read it; a host was there before its machine. */
function cloudText(objects: number, created: number, deleted: number): string {
  const before = Math.max(0, objects + deleted - created);
  const read = Math.max(0, created - deleted - objects);
  return [
    ...(before > 0 ? [`${before} there before`] : []),
    `${created} created`,
    `${deleted} deleted`,
    ...(read > 0 ? [`${counted(read, 'object')} of first-boot data deleted by the machines that read it`] : []),
  ].join(', ');
}

function statesOf(xrs: readonly CompositeFacts[]): string {
  const ready = xrs.filter((xr) => xr.ready && xr.synced).length;
  return ready === xrs.length ? 'all ready' : `${ready} ready`;
}

const MOST_KINDS = 5;

function byKind(kinds: readonly string[]): string {
  const counts = [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length] as const);
  const sorted = counts.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  // One more kind takes no more room than to say that there is one.
  const shown = sorted.length === MOST_KINDS + 1 ? sorted : sorted.slice(0, MOST_KINDS);
  const more = sorted.length - shown.length;
  return [...shown.map(([kind, count]) => `${count} ${kind}`), ...(more > 0 ? [counted(more, 'more kind')] : [])].join(
    ', ',
  );
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
