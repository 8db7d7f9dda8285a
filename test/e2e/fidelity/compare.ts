/**
 * The first difference between the results of two engines for one reconcile, except for the fields in the table of
 * exemptions.
 */
import { type Json, type JsonObject, type KubeObject, isJsonObject, sameJson, stringAt } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { EXEMPT, type Exemption } from './exempt.ts';
import type { Rendering } from './rendering.ts';
import type { Start } from './stages.ts';

/** Undefined when equal; otherwise the path with both values; only hashes of values that may be secret. */
export function difference(start: Start, here: Rendering, there: Rendering): string | undefined {
  const refused = there.error !== undefined;
  const untold = refused && there.composite === undefined;
  const applies = ({ when }: Exemption): boolean =>
    when === 'always' || when === 'unordered' || (when === 'refused' ? refused : untold);
  const exemptions = EXEMPT.filter(applies);
  return firstDifference(compared(start, here, exemptions), compared(start, there, exemptions), []);
}

/** Objects by name, so that a missing one is reported as missing. */
function compared(start: Start, rendering: Rendering, exemptions: readonly Exemption[]): Json {
  const { error, composite = null, composed, deleted } = rendering;
  const whole = {
    ...rendering,
    error: error === undefined ? null : partsOf(error),
    composite,
    order: composed.map(nameOf),
    composed: byName(composed),
    deleted: deleted as unknown as Json,
  };
  return exemptions.reduce<Json>(
    (value, exemption) =>
      changed(value, exemption.path, exemption.when === 'unordered' ? sorted : blank, isKept(start, exemption)),
    JSON.parse(JSON.stringify(whole)) as Json,
  );
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata?.name ?? metadata?.generateName ?? ''}`;
}

function byName(objects: readonly KubeObject[]): JsonObject {
  return Object.fromEntries(objects.map((object) => [nameOf(object), object as unknown as Json]));
}

/** The error and its field, without the prefix of each engine and its command. */
function partsOf(error: string): Json {
  const { step = '', cause = error } = /(?:pipeline|run) step "(?<step>[^"]+)"(?<cause>.*)$/s.exec(error)?.groups ?? {};
  return { step, cause };
}

type Change = (child: Json) => Json;
/** @param key  of the value where it is in a map: resources of a request are found by their names */
type Kept = (value: Json, key: string) => boolean;

/** The value with the field at the path changed, except for what is to be kept. */
function changed(value: Json, [step, ...rest]: readonly string[], change: Change, kept: Kept, key = ''): Json {
  if (kept(value, key)) return value;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return step === '*' ? value.map((one: Json) => changed(one, rest, change, kept)) : value;
  if (!isJsonObject(value)) return value;
  const fits = (key: string): boolean => step === key || (step.endsWith('*') && key.startsWith(step.slice(0, -1)));
  return Object.fromEntries(
    Object.entries(value).map(([key, child = null]) => [
      key,
      fits(key) ? changed(child, rest, change, kept, key) : child,
    ]),
  );
}

const blank: Change = () => '(not compared)';
/** Objects by name, events by message. */
const sorted: Change = (list) =>
  Array.isArray(list) ? list.toSorted((a: Json, b: Json) => (sortKey(a) < sortKey(b) ? -1 : 1)) : list;
const sortKey = (one: Json): string => stringAt(one, 'metadata', 'name') ?? stringAt(one, 'message') ?? '';

/** Whether an exemption that ends once something exists has ended. */
function isKept({ observed }: Start, { until }: Exemption): Kept {
  const keys = new Set(observed.map(keyOf));
  if (until === undefined) return () => false;
  return until === 'own' ? (value, key) => keys.has(keyOf(value)) || keys.has(key) : () => keys.has(until);
}

function keyOf(object: KubeObject | Json): string {
  return stringAt(object, 'metadata', 'annotations', CROSSPLANE.compositionResourceName) ?? '';
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
  const show = path.some(isSecret) ? hashed : short;
  return `${path.join('.')}: embedded ${show(here)}, real ${show(there)}`;
}

function isSecret(step: string): boolean {
  return /^(Secret .*|data|stringData|userData.*|connectionDetails|context|requiredResources)$/.test(step);
}

function hashed(value: Json | undefined): string {
  return value === undefined ? 'absent' : `(a value with hash ${sha256(JSON.stringify(value)).slice(0, 8)})`;
}

function short(value: Json | undefined): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}
