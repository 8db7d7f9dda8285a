/** slipway describe: one XR of a live cluster or of a simulated run as a tree, the decisive reason first. */
import { stringAt } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { yamlText } from '#lib/api/yaml.ts';
import type { Connection } from '#lib/kube/connect.ts';
import { oneOf } from '#lib/api/nearest.ts';
import type { CompositeFacts, EventFacts } from '#simulator/engine.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readObjects } from '../files/read-objects.ts';
import { decisiveReasons } from '../simulate/decisive.ts';
import type { OutputFormat } from '../simulate/simulate.ts';
import { converge, prepare, type SimulationOptions } from '../simulate/simulation.ts';
import { treeLines } from '../simulate/tree.ts';
import { type Output, outputTo } from '../terminal/output.ts';
import { wrapped } from '../terminal/table.ts';
import { watchEngine } from '../working.ts';
import { liveComposites } from './live.ts';

export interface Subject {
  readonly kind: string;
  /** Undefined: any. */
  readonly namespace: string | undefined;
  readonly name: string;
}

export type Source = { readonly connection: Connection } | { readonly simulation: SimulationOptions };

export interface DescribeOptions {
  readonly conditions: boolean;
  readonly output: OutputFormat;
  /** File for the result; standard output by default. */
  readonly file: string | undefined;
}

interface Seen {
  readonly composites: readonly CompositeFacts[];
  /** Of a simulation; those of a live cluster are not read. */
  readonly warnings: readonly EventFacts[];
  /** What programs get besides the XRs. */
  readonly facts: object;
}

/** @returns the exit code: 3 when it, or something below it, is not ready */
export async function describe(subject: Subject, source: Source, options: DescribeOptions): Promise<number> {
  const output = outputTo(options.file);
  const { composites, warnings, facts } =
    'connection' in source
      ? { composites: await liveComposites(source.connection, subject.namespace), warnings: [], facts: {} }
      : await simulated(subject, source.simulation);
  const xr = find(composites, subject);
  const family = composites.filter((other) => isBelow(composites, other, xr));
  const ready = family.every((one) => one.ready && one.synced && !one.deleting);
  if (options.output === 'table') output.write(text(xr, { composites: family, warnings }, ready, output, options));
  else output.write(data({ ready, ...facts, composites: family }, options.output));
  return ready ? EXIT.done : EXIT.notConverged;
}

async function simulated(subject: Subject, simulation: SimulationOptions): Promise<Seen> {
  refuseUnknown(subject, simulation);
  const prepared = prepare(simulation);
  try {
    const engine = await prepared.start();
    const working = watchEngine(engine);
    await converge(engine, simulation).finally(() => working.end());
    const { composites, ...facts } = engine.snapshot();
    return { composites, warnings: facts.warnings, facts };
  } finally {
    prepared.stop();
  }
}

/** Before anything is simulated: a claim is in the files, and what it composes has a name that begins with its own. */
function refuseUnknown({ kind, name }: Subject, { files, changes }: SimulationOptions): void {
  const edits = changes.flatMap(({ action }) => ('apply' in action ? [action.apply] : []));
  const claims = readObjects([...files, ...edits]).filter(({ apiVersion }) => apiVersion === API_VERSION);
  const names = (wanted: string): readonly string[] =>
    claims.flatMap((claim) => (claim.kind === wanted ? (stringAt(claim, 'metadata', 'name') ?? []) : []));
  const pools = [...names('NodePool'), ...names('Cluster').map((cluster) => `${cluster}-control-plane`)];
  const known = { Cluster: names('Cluster'), NodePool: pools }[kind];
  if (known === undefined && pools.some((pool) => name.startsWith(`${pool}-`))) return;
  if (known?.includes(name) === true) return;
  throw notFound(kind, name, known ?? pools.map((pool) => `${pool}-…`));
}

function text(
  xr: CompositeFacts,
  family: Omit<Seen, 'facts'>,
  ready: boolean,
  { style, width }: Output,
  { conditions }: DescribeOptions,
): string {
  const reasons = ready ? [] : decisiveReasons(family);
  const verdict = reasons.flatMap((reason) => wrapped(`Not ready: ${reason}`, width ?? Infinity));
  const tree = treeLines(family, { style, conditions, width, said: reasons }, xr);
  return [...verdict.map((line) => style('bad', line)), ...(verdict.length > 0 ? [''] : []), ...tree, ''].join('\n');
}

function data(facts: object, output: OutputFormat): string {
  return output === 'yaml' ? yamlText(facts) : `${JSON.stringify(facts, null, 2)}\n`;
}

/** Kinds as people type them: cluster, Cluster, clusters, cl. */
const KINDS: Readonly<Record<string, string>> = {
  cluster: 'Cluster',
  clusters: 'Cluster',
  cl: 'Cluster',
  nodepool: 'NodePool',
  nodepools: 'NodePool',
  np: 'NodePool',
  machine: 'Machine',
  machines: 'Machine',
  ma: 'Machine',
};

export function kindOf(word: string): string {
  const kind = KINDS[word.toLowerCase()];
  if (kind !== undefined) return kind;
  throw new UsageError(`cannot describe "${word}": accepted: ${oneOf(word, ['cluster', 'nodepool', 'machine'])}`);
}

function find(composites: readonly CompositeFacts[], { kind, namespace, name }: Subject): CompositeFacts {
  const same = composites.filter((xr) => xr.kind === kind && (namespace === undefined || xr.namespace === namespace));
  const [found, ...others] = same.filter((xr) => xr.name === name);
  if (found === undefined)
    throw notFound(
      kind,
      name,
      same.map((xr) => xr.name),
    );
  if (others.length === 0) return found;
  const namespaces = [found, ...others].map((xr) => xr.namespace ?? '').join(', ');
  throw new UsageError(
    `cannot describe ${kind} "${name}": several have this name; accepted: --namespace ${namespaces}`,
  );
}

function notFound(kind: string, name: string, names: readonly string[]): UsageError {
  const cause = names.length === 0 ? `there is no ${kind}` : `accepted: ${oneOf(name, [...new Set(names)])}`;
  return new UsageError(`cannot find ${kind} "${name}": ${cause}`);
}

function isBelow(all: readonly CompositeFacts[], xr: CompositeFacts, top: CompositeFacts): boolean {
  if (xr === top) return true;
  const parent = all.find(
    ({ kind, name, namespace }) =>
      kind === xr.parent?.kind && name === xr.parent.name && namespace === xr.parent.namespace,
  );
  return parent !== undefined && isBelow(all, parent, top);
}
