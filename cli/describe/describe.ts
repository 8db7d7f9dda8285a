/** slipway describe: one XR of a live cluster or of a simulated run as a tree, the decisive reason first. */
import { yamlText } from '#lib/api/yaml.ts';
import type { Connection } from '#lib/kube/connect.ts';
import type { CompositeFacts, EventFacts } from '#simulator/engine.ts';
import { errorLine, EXIT, UsageError } from '../exit.ts';
import { inNamespace } from '../files/namespaces.ts';
import { readPlaced } from '../files/read-objects.ts';
import type { ObjectRef } from '../object-ref.ts';
import { type Places, placesIn } from '../plan/places.ts';
import { causesOf, reasonsOf } from '../simulate/decisive.ts';
import { placeLines, withPlaces } from '../simulate/mended.ts';
import { notFound, refuseUnknown } from '../simulate/known.ts';
import type { OutputFormat } from '../simulate/simulate.ts';
import { converge, prepare, type SimulationOptions } from '../simulate/simulation.ts';
import { treeLines } from '../simulate/tree.ts';
import { type Output, outputTo } from '../terminal/output.ts';
import { hanging, wrapped } from '../terminal/table.ts';
import { watchEngine } from '../working.ts';
import { liveComposites } from './live.ts';

export type Source = { readonly connection: Connection } | { readonly simulation: SimulationOptions };

export interface DescribeOptions {
  readonly conditions: boolean;
  readonly output: OutputFormat;
  /** File for the result; standard output by default. */
  readonly file: string | undefined;
}

interface Seen {
  readonly composites: readonly CompositeFacts[];
  /** Where the claims of a simulation are written. */
  readonly places: Places;
  /** Of a simulation; those of a live cluster are not read. */
  readonly warnings: readonly EventFacts[];
  /** What programs get besides the XRs. */
  readonly facts: object;
}

/** @returns the exit code: 3 when it, or something below it, is not ready */
export async function describe(subject: ObjectRef, source: Source, options: DescribeOptions): Promise<number> {
  const output = outputTo(options.file);
  const { composites, places, warnings, facts } =
    'connection' in source
      ? { composites: await live(source.connection, subject), places: placesIn([]), warnings: [], facts: {} }
      : await simulated(subject, source.simulation);
  const all = composites.map(belowCluster);
  const xr = find(all, subject);
  const family = all.filter((other) => isBelow(all, other, xr));
  const ready = family.every((one) => one.ready && one.synced && !one.deleting);
  const known = { composites: family, places, warnings };
  if (options.output === 'table') output.write(text(xr, known, ready, output, options));
  else {
    const reasons = withPlaces(reasonsOf(known), places);
    output.write(data({ ready, reasons, ...facts, composites: family }, options.output));
  }
  return ready ? EXIT.done : EXIT.notConverged;
}

/** If its namespace has none of its kind, all are read: one of them may be meant. */
async function live(connection: Connection, wanted: ObjectRef): Promise<readonly CompositeFacts[]> {
  const { kind, namespace } = wanted;
  const here = await liveComposites(connection, namespace);
  const isAny = here.some((xr) => xr.kind === kind);
  return isAny || namespace === undefined ? here : liveComposites(connection, undefined).catch(() => here);
}

async function simulated(subject: ObjectRef, simulation: SimulationOptions): Promise<Seen> {
  refuseAbsent(subject, simulation);
  const prepared = prepare(simulation);
  try {
    const engine = await prepared.start();
    const working = watchEngine(engine);
    await converge(engine, simulation).finally(() => working.end());
    for (const note of prepared.notes) process.stderr.write(errorLine(note));
    const { composites, ...facts } = engine.snapshot();
    return { composites, places: prepared.places(), warnings: facts.warnings, facts };
  } finally {
    prepared.stop();
  }
}

/** Before anything is simulated. */
function refuseAbsent(subject: ObjectRef, { files, changes, namespace }: SimulationOptions): void {
  const edits = changes.flatMap(({ action }) => ('apply' in action ? [action.apply] : []));
  const read = inNamespace(readPlaced([...files, ...edits]), namespace, 'describe');
  refuseUnknown(
    subject,
    read.map(({ object }) => object),
  );
}

function text(
  xr: CompositeFacts,
  family: Omit<Seen, 'facts'>,
  ready: boolean,
  { style, width }: Output,
  { conditions }: DescribeOptions,
): string {
  const causes = ready ? [] : causesOf(family);
  const columns = width ?? Infinity;
  const verdict = causes.flatMap((cause) => [
    ...wrapped(`Not ready: ${cause.line}`, columns).map((line) => style('bad', line)),
    ...placeLines(cause, family.places).flatMap((line) => hanging(line, columns)),
  ]);
  const said = causes.map(({ line }) => line);
  const tree = treeLines(family, { style, conditions, width, said, decides: reasonsOf(family) }, xr);
  return [...verdict, ...(verdict.length > 0 ? [''] : []), ...tree, ''].join('\n');
}

function data(facts: object, output: OutputFormat): string {
  return output === 'yaml' ? yamlText(facts) : `${JSON.stringify(facts, null, 2)}\n`;
}

function find(composites: readonly CompositeFacts[], wanted: ObjectRef): CompositeFacts {
  const { kind, namespace, name } = wanted;
  const same = composites.filter((xr) => xr.kind === kind);
  const [found, ...others] = same.filter(
    (xr) => xr.name === name && (namespace === undefined || xr.namespace === namespace),
  );
  if (found === undefined) throw notFound(wanted, same);
  if (others.length === 0) return found;
  const namespaces = [found, ...others].map((xr) => xr.namespace ?? '').join(', ');
  throw new UsageError(
    `cannot describe ${kind} "${name}": several have this name; accepted: --namespace ${namespaces}`,
  );
}

/** Nobody composed the pools that users apply, and they belong to their Cluster all the same. */
function belowCluster(xr: CompositeFacts): CompositeFacts {
  const { apiVersion, namespace, cluster: name, parent } = xr;
  if (name === undefined || parent !== undefined) return xr;
  return { ...xr, parent: { apiVersion, kind: 'Cluster', ...(namespace === undefined ? {} : { namespace }), name } };
}

function isBelow(all: readonly CompositeFacts[], xr: CompositeFacts, top: CompositeFacts): boolean {
  if (xr === top) return true;
  const parent = all.find(
    ({ kind, name, namespace }) =>
      kind === xr.parent?.kind && name === xr.parent.name && namespace === xr.parent.namespace,
  );
  return parent !== undefined && isBelow(all, parent, top);
}
