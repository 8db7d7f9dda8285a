/** Which fields differ between what exists and what is desired, leaf by leaf. */
import { isJsonObject, type Json, type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import { API_VERSION } from '#lib/api/words.ts';

export type Path = readonly (string | number)[];

export interface Change {
  readonly path: Path;
  /** undefined: the field was not there. */
  readonly old: Json | undefined;
  /** undefined: the field is taken away. */
  readonly new: Json | undefined;
}

/** Changes of spec and of our labels and annotations, in the order of their paths. */
export function changesBetween(
  observed: KubeObject,
  desired: KubeObject,
  ownership: 'Whole' | 'Desired',
): readonly Change[] {
  const found: Change[] = [];
  const whole = ownership === 'Whole';
  const [old, now] = [ownSpec(observed), ownSpec(desired)];
  // Most machines are what they should be; reading them through their schema costs more than comparing them.
  if (!sameJson(old, now)) walk(['spec'], comparable(observed, old), comparable(desired, now), whole, found);
  // Others label and annotate too: only what we desire counts.
  walk(['metadata', 'labels'], observed.metadata?.labels, desired.metadata?.labels ?? {}, false, found);
  walk(['metadata', 'annotations'], observed.metadata?.annotations, desired.metadata?.annotations ?? {}, false, found);
  return found;
}

/** The spec without Crossplane's machinery. */
function ownSpec(object: KubeObject): JsonObject {
  const { crossplane: _machinery, ...spec } = object.spec ?? {};
  return spec;
}

/**
 * A Machine's spec is read through its schema, so that a field that a newer release knows, and the object of an
 * older one lacks, has its default on both sides and is no change.
 */
function comparable(object: KubeObject, spec: JsonObject): Json {
  if (object.kind !== 'Machine' || object.apiVersion !== API_VERSION) return spec;
  const parsed = MachineSpec.safeParse(spec);
  return parsed.success ? (parsed.data as unknown as Json) : spec;
}

function walk(path: Path, old: unknown, now: unknown, whole: boolean, found: Change[]): void {
  if (isJsonObject(old) && isJsonObject(now)) {
    const keys = new Set([...Object.keys(now), ...(whole ? Object.keys(old) : [])]);
    for (const key of [...keys].sort()) walk([...path, key], old[key], now[key], whole, found);
    return;
  }
  if (Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
    for (const [index, item] of now.entries()) walk([...path, index], old[index], item, whole, found);
    return;
  }
  if (isEmpty(old) && isEmpty(now)) return;
  if (!sameJson(old ?? null, now ?? null))
    found.push({ path, old: old as Json | undefined, new: now as Json | undefined });
}

/** An absent field and an empty object are the same to the API server. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && Object.values(value).every((item) => item === undefined));
}

/** The path in words: spec.taints[0].value. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z0-9_-]+$/.test(step)) return `${text}["${step}"]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
