/** Where two JSON values differ, leaf by leaf. */
import { isJsonObject, type Json, sameJson } from '#lib/api/json.ts';

export type Path = readonly (string | number)[];

export interface Difference {
  readonly path: Path;
  /** Undefined: the field did not exist. */
  readonly old: Json | undefined;
  /** Undefined: the field is removed. */
  readonly new: Json | undefined;
}

/** Objects are compared member by member, everything else as a whole. */
export function differences(old: Json | undefined, now: Json | undefined, path: Path = []): readonly Difference[] {
  if (isJsonObject(old) && isJsonObject(now))
    return [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .toSorted()
      .flatMap((key) => differences(old[key], now[key], [...path, key]));
  return sameJson(old ?? null, now ?? null) ? [] : [{ path, old, new: now }];
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): Json | undefined {
  return path.reduce<unknown>((here, step) => {
    if (typeof step === 'number') return Array.isArray(here) ? (here as readonly unknown[])[step] : undefined;
    return isJsonObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }, value) as Json | undefined;
}

/** spec.taints[0]["a/b"] */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z0-9_-]+$/.test(step)) return `${text}["${step}"]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** The reverse of formatPath. */
export function parsePath(text: string): Path {
  return [...text.matchAll(/\["([^"]*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, word]) =>
    index === undefined ? (quoted ?? word ?? '') : Number(index),
  );
}
