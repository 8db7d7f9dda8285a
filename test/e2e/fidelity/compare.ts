/** The same reconcile by the embedded engine and by the real one, and the first place where they differ. */
import { type Json, type KubeObject, isJsonObject, sameJson } from '#lib/api/json.ts';
import { renderOnce } from '#lib/engine/render/render-once.ts';
import type { Functions } from '../../../cli/processes/functions.ts';
import { EXEMPT } from './exempt.ts';
import type { Start } from './rungs.ts';

export async function renderHere(functions: Functions, start: Start): Promise<readonly KubeObject[]> {
  const { xr, composition, observed, required } = start;
  const rendered = await renderOnce(xr, composition, {
    functions: functions.caller,
    observed,
    required,
    now: new Date(),
  });
  const results = rendered.results.map(({ severity, reason, message }) => ({
    apiVersion: 'render.crossplane.io/v1beta1',
    kind: 'Result',
    message,
    reason,
    severity,
  }));
  return [rendered.composite, ...rendered.composed, ...results];
}

/** Undefined when equal; else where, with both values, neither of them of a Secret. */
export function difference(here: readonly KubeObject[], there: readonly KubeObject[]): string | undefined {
  const [ours, theirs] = [here, there].map(
    (objects) => new Map(objects.map((object) => [keyOf(object), exempted(object)])),
  );
  for (const key of new Set([...(theirs?.keys() ?? []), ...(ours?.keys() ?? [])])) {
    const [own, real] = [ours?.get(key), theirs?.get(key)];
    if (own === undefined) return `${key}: only the real engine has it`;
    if (real === undefined) return `${key}: only the embedded engine has it`;
    const where = firstDifference(own, real, []);
    if (where !== undefined) return `${key}: ${where}`;
  }
  return undefined;
}

function keyOf(object: KubeObject): string {
  const { apiVersion, kind, metadata } = object;
  const name = kind === 'Result' ? JSON.stringify(object) : (metadata?.name ?? metadata?.generateName ?? '');
  return `${apiVersion} ${kind} ${name}`;
}

function exempted(object: KubeObject): Json {
  return EXEMPT.filter(({ kind }) => kind === object.kind).reduce<Json>(
    (value, { path }) => blanked(value, path),
    object as unknown as Json,
  );
}

function blanked(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined) return '(not compared)';
  if (!isJsonObject(value)) return value;
  const keys = step === '*' ? Object.keys(value) : Object.keys(value).filter((key) => key === step);
  return { ...value, ...Object.fromEntries(keys.map((key) => [key, blanked(value[key] ?? null, rest)])) };
}

function firstDifference(here: Json | undefined, there: Json | undefined, path: readonly string[]): string | undefined {
  if (sameJson(here, there)) return undefined;
  if (isJsonObject(here) && isJsonObject(there)) {
    for (const key of new Set([...Object.keys(there), ...Object.keys(here)])) {
      const found = firstDifference(here[key], there[key], [...path, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(here) && Array.isArray(there))
    for (let index = 0; index < Math.max(here.length, there.length); index += 1) {
      const found = firstDifference(here[index], there[index], [...path, String(index)]);
      if (found !== undefined) return found;
    }
  return `${path.join('.')}: embedded ${short(here)}, real ${short(there)}`;
}

function short(value: Json | undefined): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
