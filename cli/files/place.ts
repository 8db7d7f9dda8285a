/** Where something is written: a file, and the line of an object or of a field in it. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';

export interface Place {
  /** As it was given; `-` is standard input. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The path of standard input. */
export const STANDARD_INPUT = '-';

/** `"prod.yaml", line 3` */
export function placeText({ file, line }: Place): string {
  return `${fileText(file)}, line ${line}`;
}

/** Places below an error: `in "prod.yaml", line 3`, or `lines 3, 12`; those of one file together, `most` in all. */
export function placesText(places: readonly Place[], most = 3): string {
  const files = [...Map.groupBy(places.slice(0, most), ({ file }) => file)].map(([file, same]) => {
    const lines = [...new Set(same.map(({ line }) => line))];
    return `${fileText(file)}, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
  });
  const more = places.length - most;
  return `in ${files.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function fileText(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : `"${file}"`;
}

/**
 * Where a field begins. Of one that is left out, or comes from an anchor that is merged, the object around it that is
 * written; undefined: that is the whole object.
 */
export function offsetOf(
  document: Document.Parsed,
  root: unknown,
  path: readonly (string | number)[],
): number | undefined {
  let here = root;
  let found: number | undefined;
  for (const step of path) {
    const next = stepInto(isAlias(here) ? here.resolve(document) : here, step);
    if (next === undefined) return found;
    found = next.offset ?? found;
    here = next.value;
  }
  return found;
}

function stepInto(
  node: unknown,
  step: string | number,
): { readonly offset: number | undefined; readonly value: unknown } | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return isNode(item) ? { offset: beginOf(item), value: item } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair: Pair | undefined = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  return pair && { offset: beginOf(pair.key), value: pair.value };
}

function beginOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
