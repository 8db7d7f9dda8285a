/** XRs as a tree: problems are shown in detail, healthy XRs take one line, composed resources are counted. */
import type { ComposedFacts, CompositeFacts, Snapshot } from '#simulator/engine.ts';
import type { Reason } from './decisive.ts';
import type { Style } from '../terminal/style.ts';
import { legible } from '../terminal/legible.ts';
import { type SteadyColumns, table } from '../terminal/table.ts';

export interface TreeOptions {
  readonly style: Style;
  /** What is said elsewhere, of the same objects: it is not said again. */
  readonly said?: readonly string[];
  /** What decides that something is not ready: it comes first, and nothing that only follows from it. */
  readonly decides?: readonly Reason[];
  /** Show every condition of every XR, not only why one is not ready. */
  readonly conditions?: boolean;
  /** Columns of the terminal, which reasons are broken to fit. */
  readonly width?: number | undefined;
  /** Of more children than this, only how many are ready is shown, and those with a problem. */
  readonly mostChildren?: number;
  /** Columns of earlier frames. */
  readonly columns?: SteadyColumns;
}

/** The tree of a whole snapshot, or of one XR in it. */
export function treeLines(
  { composites }: Pick<Snapshot, 'composites'>,
  options: TreeOptions,
  root?: CompositeFacts,
): readonly string[] {
  const family = familyOf(composites);
  const roots = root === undefined ? (family.children.get(undefined) ?? []) : [root];
  const rows = roots.flatMap((xr) => branch(family, xr, '', '', options));
  return table(rows, options);
}

/** Who composed whom. */
interface Family {
  /** XRs by who composed them, in their order; undefined: no XR. */
  readonly children: ReadonlyMap<CompositeFacts | undefined, readonly CompositeFacts[]>;
  /** Kinds and names of all XRs. */
  readonly names: ReadonlySet<string>;
}

function familyOf(all: readonly CompositeFacts[]): Family {
  const known = new Map(all.map((xr) => [keyOf(xr), xr]));
  return {
    children: Map.groupBy(all, ({ parent }) => (parent === undefined ? undefined : known.get(keyOf(parent)))),
    names: new Set(all.map(nameOf)),
  };
}

function keyOf({ kind, namespace, name }: Pick<CompositeFacts, 'kind' | 'namespace' | 'name'>): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

function nameOf({ kind, name }: Pick<CompositeFacts, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}

function branch(
  family: Family,
  xr: CompositeFacts,
  lead: string,
  indent: string,
  options: TreeOptions,
): readonly (readonly string[])[] {
  const all = family.children.get(xr) ?? [];
  const isMany = all.length > (options.mostChildren ?? Infinity);
  const children = isMany ? all.filter(({ synced }) => !synced).slice(0, 3) : all;
  const rows: (readonly string[])[] = [
    [`${lead}${options.style('strong', xr.kind)} ${xr.name}`, mark(xr, options.style), unlessSaid(why(xr), options)],
  ];
  const below = [
    ...conditionRows(xr, options),
    ...(isMany ? [barRow(all, options.style)] : []),
    ...resourceRows(family, xr, options),
  ];
  for (const [i, [text, state, reason]] of below.entries()) {
    const last = i === below.length - 1 && children.length === 0;
    rows.push([`${indent}${last ? '└─ ' : '├─ '}${text}`, state, reason]);
  }
  for (const [i, child] of children.entries()) {
    const last = i === children.length - 1;
    rows.push(
      ...branch(family, child, `${indent}${last ? '└─ ' : '├─ '}`, `${indent}${last ? '   ' : '│  '}`, options),
    );
  }
  return rows;
}

const BAR = 20;

/** How many of many are ready. */
function barRow(all: readonly CompositeFacts[], style: Style): Row {
  const ready = all.filter((xr) => xr.ready && xr.synced).length;
  const done = Math.floor((ready / all.length) * BAR);
  const bar = `${style('good', '█'.repeat(done))}${style('quiet', '░'.repeat(BAR - done))}`;
  const isWhole = ready === all.length;
  return [
    `${bar} ${ready}/${all.length} ${all[0]?.kind ?? ''}s`,
    style(isWhole ? 'good' : 'busy', isWhole ? 'ready' : 'not ready'),
    '',
  ];
}

type Row = readonly [text: string, state: string, reason: string];

function mark(xr: CompositeFacts, style: Style): string {
  if (xr.deleting) return style('busy', 'deleting');
  if (refusalOf(xr) !== undefined) return style('bad', 'refused');
  if (!xr.synced) return style('bad', 'not synced');
  return xr.ready ? style('good', 'ready') : style('busy', 'not ready');
}

function refusalOf({
  conditions,
}: Pick<CompositeFacts, 'conditions'>): CompositeFacts['conditions'][number] | undefined {
  return conditions.find(({ type, status }) => type === 'ClaimAccepted' && status === 'False');
}

function why({ conditions, ready, synced }: CompositeFacts): string {
  if (ready && synced) return '';
  const problem =
    refusalOf({ conditions }) ??
    conditions.find(({ type, status }) => type === (synced ? 'Ready' : 'Synced') && status === 'False');
  const failing = conditions.find(({ status, message }) => status === 'False' && message !== undefined);
  return legible(problem?.message ?? failing?.message ?? problem?.reason ?? '');
}

function unlessSaid(text: string, { said = [] }: TreeOptions): string {
  if (said.some((line) => line.endsWith(text) || text.endsWith(line))) return '';
  const part = said.find((line) => text.includes(line));
  if (part === undefined) return text;
  const [before = '', ...after] = text.split(part);
  return `${before.replace(HEADED, '')}…${after.join('…')}`;
}

/** What Crossplane says before the words of a function. */
const HEADED = /cannot compose resources: pipeline step "[^"]*" returned a fatal result: $/;

function conditionRows({ conditions }: CompositeFacts, { style, conditions: all }: TreeOptions): readonly Row[] {
  if (all !== true) return [];
  return conditions.map(({ type, status, reason, message }) => [
    style('quiet', type),
    status,
    legible(message === undefined ? reason : `${reason}: ${message}`),
  ]);
}

/** Composed resources that are not XRs: counted; the first three that are not ready are named. */
function resourceRows({ names }: Family, xr: CompositeFacts, options: TreeOptions): readonly Row[] {
  const { style, decides = [] } = options;
  const { composed } = xr;
  const isDecisive = (one: Pick<ComposedFacts, 'kind' | 'name'>): boolean =>
    decides.some(({ kind, name }) => kind === one.kind && name === one.name);
  const own = composed.filter((one) => !names.has(nameOf(one)));
  if (own.length === 0) return [];
  const unready = own.filter(({ ready }) => !ready);
  const count = `${own.length - unready.length}/${own.length} resources`;
  // An XR that itself decides keeps its resources waiting.
  const told = isDecisive(xr) ? [] : unready;
  const named = told
    .toSorted((a, b) => Number(isDecisive(b)) - Number(isDecisive(a)))
    .slice(0, 3)
    .map(({ kind, name, why: reason = '' }: ComposedFacts): Row => [
      `${kind} ${name}`,
      style('busy', 'not ready'),
      unlessSaid(legible(reason), options),
    ]);
  const more = told.length > 3 ? [[style('quiet', `and ${told.length - 3} more`), '', ''] as const] : [];
  return [
    [style('quiet', count), unready.length === 0 ? style('good', 'ready') : style('busy', 'not ready'), ''],
    ...named,
    ...more,
  ];
}
