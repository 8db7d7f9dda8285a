/** slipway describe: one XR of a simulated run as a tree, problems first. */
import type { CompositeFacts, Snapshot } from '#simulator/engine.ts';
import { EXIT, UsageError } from '../exit.ts';
import { machines, type OutputFormat } from '../simulate/simulate.ts';
import { converge, prepare, type SimulationOptions } from '../simulate/simulation.ts';
import { treeLines } from '../simulate/tree.ts';
import { styleFor } from '../terminal/style.ts';

export interface Subject {
  readonly kind: string;
  readonly name: string;
}

/** @returns the exit code: 3 when it is not ready */
export async function describe(
  subject: Subject,
  simulation: SimulationOptions,
  options: { readonly conditions: boolean; readonly output: OutputFormat },
): Promise<number> {
  const prepared = prepare(simulation);
  try {
    const engine = await prepared.start();
    await converge(engine, simulation);
    const snapshot = engine.snapshot();
    const xr = find(snapshot, subject);
    const family = { ...snapshot, composites: snapshot.composites.filter((other) => isBelow(snapshot, other, xr)) };
    const lines = treeLines(snapshot, { style: styleFor(process.stdout), conditions: options.conditions }, xr);
    process.stdout.write(options.output === 'table' ? `${lines.join('\n')}\n` : machines(family, options.output));
    return xr.ready && xr.synced ? EXIT.done : EXIT.notConverged;
  } finally {
    prepared.stop();
  }
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
  throw new UsageError(`cannot describe "${word}": accepted: cluster, nodepool, machine`);
}

function find({ composites }: Snapshot, { kind, name }: Subject): CompositeFacts {
  const found = composites.find((xr) => xr.kind === kind && xr.name === name);
  if (found !== undefined) return found;
  const names = composites.filter((xr) => xr.kind === kind).map((xr) => xr.name);
  throw new UsageError(
    `cannot find ${kind} "${name}": accepted: ${names.length === 0 ? `none, there is no ${kind}` : names.join(', ')}`,
  );
}

function isBelow({ composites }: Snapshot, xr: CompositeFacts, top: CompositeFacts): boolean {
  if (xr === top) return true;
  const parent = composites.find(({ kind, name }) => kind === xr.parent?.kind && name === xr.parent.name);
  return parent !== undefined && isBelow({ composites } as Snapshot, parent, top);
}
