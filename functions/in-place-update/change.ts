/** One changed field: its path, old value and new value. */
import { isJsonObject, type Json, type JsonObject } from '#lib/api/json.ts';

export type Path = readonly (string | number)[];

export interface Change {
  readonly path: Path;
  /** undefined: the field did not exist. */
  readonly old: Json | undefined;
  /** undefined: the field is removed. */
  readonly new: Json | undefined;
}

/** The value at a concrete path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): Json | undefined {
  let here: unknown = value;
  for (const step of path) {
    if (typeof step === 'number') here = Array.isArray(here) ? here[step] : undefined;
    else here = isJsonObject(here) ? own(here, step) : undefined;
  }
  return here as Json | undefined;
}

/** The value of an own key, never one that every object inherits. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The path in words: spec.taints[0].value; * is any item of a list. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number' || step === '*') return `${text}[${step}]`;
    if (!/^[A-Za-z0-9_-]+$/.test(step)) return `${text}["${step}"]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
