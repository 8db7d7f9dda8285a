/** Invalid requests: as an older release, a lagging cache, a partly restored backup or an edit by hand could cause. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { Chance } from '../sim/chance.ts';

/** One to three changes, anywhere in observed, required or desired objects or in the context. */
export function mutated(request: Request, chance: Chance): Request {
  let changed = request;
  for (let left = chance.between(1, 3); left > 0; left -= 1)
    changed = MUTATIONS[chance.between(0, MUTATIONS.length - 1)]!(changed, chance);
  return changed;
}

type Mutation = (request: Request, chance: Chance) => Request;

const MUTATIONS: readonly Mutation[] = [
  composite,
  composite,
  oneObserved,
  oneObserved,
  everyObserved,
  otherVersion,
  withoutOne,
  oneDesired,
  withoutDesired,
  context,
  context,
  required,
];

/** Its spec, status, labels; not its identity. */
function composite(request: Request, chance: Chance): Request {
  const { observed } = request;
  return { ...request, observed: { ...observed, composite: broken(observed.composite, chance) } };
}

function oneObserved(request: Request, chance: Chance): Request {
  const key = pick([...request.observed.resources.keys()], chance);
  return observing(request, (object, one) => (one === key ? broken(object, chance) : object));
}

/** The same field of all of them. */
function everyObserved(request: Request, chance: Chance): Request {
  const seed = chance.between(0, 1_000_000);
  return observing(request, (object) => broken(object, new Chance(seed)));
}

function otherVersion(request: Request): Request {
  return observing(request, (object) => ({ ...object, apiVersion: object.apiVersion.replace(/[^/]*$/, 'v2') }));
}

function withoutOne(request: Request, chance: Chance): Request {
  const key = pick([...request.observed.resources.keys()], chance);
  const resources = new Map([...request.observed.resources].filter(([one]) => one !== key));
  return { ...request, observed: { ...request.observed, resources } };
}

function oneDesired(request: Request, chance: Chance): Request {
  const key = pick([...request.desired.resources.keys()], chance);
  const resources = new Map(
    [...request.desired.resources].map(([one, desired]) => [
      one,
      one === key ? { ...desired, resource: broken(desired.resource, chance) } : desired,
    ]),
  );
  return { ...request, desired: { ...request.desired, resources } };
}

function withoutDesired(request: Request, chance: Chance): Request {
  const share = chance.between(1, 4) / 4;
  const resources = new Map([...request.desired.resources].filter(() => !chance.happens(share)));
  return { ...request, desired: { ...request.desired, resources } };
}

function context(request: Request, chance: Chance): Request {
  return { ...request, context: asObject(changedAt(request.context, chance)) };
}

function required(request: Request, chance: Chance): Request {
  const lists = [...request.required].map(([name, list]): [string, readonly KubeObject[]] => {
    const kept = chance.happens(0.3) ? [] : list.filter(() => !chance.happens(0.2));
    return [name, kept.map((object) => (chance.happens(0.2) ? broken(object, chance) : object))];
  });
  return { ...request, required: new Map(chance.happens(0.2) ? lists.slice(1) : lists) };
}

function observing(request: Request, change: (object: KubeObject, key: string) => KubeObject): Request {
  const resources = new Map(
    [...request.observed.resources].map(([key, one]) => [key, { ...one, resource: change(one.resource, key) }]),
  );
  return { ...request, observed: { ...request.observed, resources } };
}

/**
 * An object with its name unchanged, and one other change. The API server ensures that labels and annotations are
 * strings, and that spec and status are objects.
 */
function broken(object: KubeObject, chance: Chance): KubeObject {
  const { spec, status, metadata } = object;
  const part = chance.between(0, 9);
  if (part === 0) return { ...object, metadata: { ...metadata, labels: texts(metadata?.labels, chance) } };
  if (part === 1) return { ...object, metadata: { ...metadata, annotations: texts(metadata?.annotations, chance) } };
  if (part < 6) return { ...object, spec: asObject(changedAt(spec ?? {}, chance)) };
  return { ...object, status: asObject(changedAt(status ?? {}, chance)) };
}

function texts(marks: Readonly<Record<string, string>> | undefined, chance: Chance): Record<string, string> {
  const key = pick(Object.keys(marks ?? {}), chance) ?? 'x';
  const { [key]: _old, ...others } = marks ?? {};
  return chance.happens(0.3) ? others : { ...others, [key]: TEXTS[chance.between(0, TEXTS.length - 1)]! };
}

const TEXTS = ['', '0', '1', '99', '-1', 'true', 'x', '{}', '{"machine":"x"}'];

/** The value with one nested member removed or changed. */
function changedAt(value: Json, chance: Chance): Json {
  if (Array.isArray(value) && value.length > 0 && chance.happens(0.9)) {
    const index = chance.between(0, value.length - 1);
    return chance.happens(0.2) ? value.toSpliced(index, 1) : value.with(index, changedAt(value[index] as Json, chance));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0 && chance.happens(0.9)) {
    const key = pick(Object.keys(value), chance)!;
    const { [key]: old, ...others } = value;
    return chance.happens(0.2) ? others : { ...others, [key]: changedAt(old as Json, chance) };
  }
  return OTHERS[chance.between(0, OTHERS.length - 1)]!;
}

const OTHERS: readonly Json[] = [
  null,
  '',
  'True',
  'False',
  '0',
  '1',
  '99',
  -1,
  0,
  1,
  7,
  1e9,
  true,
  false,
  [],
  {},
  ['x'],
  { x: 'y' },
];

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function pick<T>(list: readonly T[], chance: Chance): T | undefined {
  return list[chance.between(0, Math.max(0, list.length - 1))];
}
