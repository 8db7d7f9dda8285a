/** Where something is written: a file, and the line of an object or of a field in it. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';

export interface Place {
  /** As it was given; `-` is standard input. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A path of a field, from the object that has it. */
export type FieldPath = readonly (string | number)[];

/** Where an object is written, and its fields. */
export interface Origin {
  readonly place: Place;
  /** The place of a field, or where it is left out, of what is around it. */
  readonly placeOf: (path: FieldPath) => Place;
  /** A number or a switch as it is written; undefined: the field is none. */
  readonly sourceOf: (path: FieldPath) => string | undefined;
}

/** The path of standard input. */
export const STANDARD_INPUT = '-';

/** `"prod.yaml", line 3` */
export function placeText({ file, line }: Place): string {
  return `${fileText(file)}, line ${line}`;
}

/** Places below an error: `in "prod.yaml", line 3`, or `lines 3, 12`; those of one file together, `most` in all. */
export function placesText(places: readonly Place[], most = 3): string {
  const once = [...new Map(places.map((place) => [placeText(place), place])).values()];
  const files = [...Map.groupBy(once.slice(0, most), ({ file }) => file)].map(([file, same]) => {
    const lines = same.map(({ line }) => line);
    return `${fileText(file)}, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
  });
  const more = once.length - most;
  return `in ${files.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function fileText(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : `"${file}"`;
}

/**
 * Where a field begins. Of one that is left out, or comes from an anchor that is merged, the object around it that is
 * written; undefined: that is the whole object.
 */
export function offsetOf(document: Document.Parsed, root: unknown, path: FieldPath): number | undefined {
  return walked(document, root, path).offset;
}

/** A number or a switch as it is written: YAML reads 1.30 as 1.3. Undefined: the field is none, or is left out. */
export function sourceOf(document: Document.Parsed, root: unknown, path: FieldPath): string | undefined {
  const { node } = walked(document, root, path);
  const isOther = isScalar(node) && (typeof node.value === 'number' || typeof node.value === 'boolean');
  return isOther ? node.source : undefined;
}

interface Walked {
  readonly offset: number | undefined;
  /** Undefined: the path goes on where nothing is written. */
  readonly node: unknown;
}

function walked(document: Document.Parsed, root: unknown, path: FieldPath): Walked {
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  let here = resolved(root);
  let offset: number | undefined;
  for (const step of path) {
    const next = stepInto(here, step);
    if (next === undefined) return { offset, node: undefined };
    offset = next.offset ?? offset;
    here = resolved(next.value);
  }
  return { offset, node: here };
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
