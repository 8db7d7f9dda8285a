/** Where what is refused is written: claims are judged as objects, and their authors mend lines of files. */
import { z } from 'zod';
import { SlipwayError } from '#lib/api/errors.ts';
import { show } from '#lib/api/issues.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { COMPOSITES } from '#lib/api/kinds/definitions.ts';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { schemasAt } from '#lib/api/schema/path.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { type Place, placesText } from '../files/place.ts';
import type { Placed } from '../files/read-objects.ts';
import { parsePath, type Path, valueAt } from './difference.ts';

/** Part of a claim; the field is empty if it is about the whole claim. */
export interface Subject {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly field?: string;
}

/** What files say of subjects. */
export interface Places {
  /** Undefined: no file has it, such as the pool of a control plane. */
  readonly placeOf: (subject: Subject) => Place | undefined;
  /** What is said of a value, with that value as it is written: YAML reads 1.30 as 1.3. */
  readonly asWritten: (subject: Subject, said: string) => string;
}

/** Of no file. */
export const NO_PLACES: Places = { placeOf: () => undefined, asWritten: (_, said) => said };

/** @param placed  objects of files; of two with the same name the later one counts */
export function placesIn(placed: readonly Placed[]): Places {
  const objects = new Map<string, Placed>();
  for (const one of placed) {
    const { kind, metadata } = one.object;
    const key = keyOf({ kind, namespace: metadata?.namespace, name: metadata?.name ?? '' });
    // Other projects have kinds of the same name.
    const before = objects.get(key)?.object.apiVersion;
    if (before !== API_VERSION || one.object.apiVersion === API_VERSION) objects.set(key, one);
  }
  const find = (subject: Subject) => {
    const { field = '', ...ref } = ofAnother(subject);
    return { one: objects.get(keyOf(ref)), path: parsePath(field) };
  };
  return {
    placeOf: (subject) => {
      const { one, path } = find(subject);
      return one?.placeOf(path);
    },
    asWritten: (subject, said) => {
      const { one, path } = find(subject);
      const source = one?.sourceOf(path);
      return one === undefined || source === undefined
        ? said
        : withSource(said, show(valueAt(one.object, path)), source);
    },
  };
}

/** A value alone, at the beginning of a sentence, or in quotes as it is accepted. */
function withSource(said: string, value: string, source: string): string {
  if (said === value) return source;
  if (!said.startsWith(`${value} `)) return said;
  return `${source}${said.slice(value.length).replace(` in quotes: "${value}"`, () => ` in quotes: "${source}"`)}`;
}

/** What is wrong of a pool may be written in its Cluster: `spec.provisioning.users[0].sudo of Cluster "team-a/prod"`. */
function ofAnother(subject: Subject): Subject {
  const [, field, kind, namespace, name] =
    /^(.+) of ([A-Z]\w+) "(?:([^"/]+)\/)?([^"/]+)"$/.exec(subject.field ?? '') ?? [];
  return kind === undefined || name === undefined || field === undefined ? subject : { kind, namespace, name, field };
}

/** What was thrown, with the place of the field that it is about below it, if a file has it. */
export function withPlaceOf(thrown: unknown, places: Places): unknown {
  if (!(thrown instanceof SlipwayError) || thrown.object === undefined || thrown.hint !== undefined) return thrown;
  const { code, message, object, field = '' } = thrown;
  const place = places.placeOf({ ...object, field });
  if (place === undefined) return thrown;
  return new SlipwayError(code, message, { cause: thrown, hint: placesText([place]), field, object });
}

/** Of a refusal by a function of others, and of one that is only known by its message. */
const REFUSED = /cannot accept (?<owner>(?<kind>\w+) "[^"]*"): (?:(?<field>(?:[^\s:[]|\[(?:\d+|"[^"]*")\])+): )?/;
/** What refuses one of these names its own field; every other object is one that a claim reads. */
const CLAIMS = new Set(COMPOSITES.map(({ kind }) => kind));
/** What a function of others says in words of its own. */
const FAILED =
  /(?:cannot run|pipeline) step "[^"]*"(?: of Composition "[^"]*")?(?: \(function [^)]*\))?(?: returned a fatal result)?: (?<said>.*)$/s;
/** The first field in it, and whose field that is. */
const FIELD =
  /(?<![\w./-])(?<field>(?:spec|metadata)(?:\.[\w-]+|\[(?:\d+|"[^"]*")\])+)(?: of (?<owner>[A-Z]\w+ "[^"]+"))?/;
/** What is said before it may be about something else: an object by its name, and one that has none. */
const NAMED = /[A-Z]\w+ "[^"]+"/g;
const UNNAMED = /\bkind [A-Z]\w+|[A-Z]\w+ $/;

/** The field that `cannot accept Cluster "team-a/prod": spec.region: why` names; undefined: it is no refusal. */
export function fieldIn(message: string): string | undefined {
  const found = REFUSED.exec(message);
  if (found !== null) {
    const { owner = '', kind = '', field = '' } = found.groups ?? {};
    return field === '' || CLAIMS.has(kind) ? field : `${field} of ${owner}`;
  }
  const said = FAILED.exec(message)?.groups?.['said'];
  return said === undefined ? undefined : fieldOf(said);
}

/** Undefined: it names none that a claim has, or not whose it is. */
function fieldOf(said: string): string | undefined {
  const found = FIELD.exec(said);
  const field = found?.groups?.['field'];
  if (found === null || field === undefined) return undefined;
  const before = said.slice(0, found.index);
  const owner = found.groups?.['owner'] ?? [...before.matchAll(NAMED)].at(-1)?.[0];
  if (owner !== undefined) return `${field} of ${owner}`;
  return UNNAMED.test(before) || !isOfClaims(field) ? undefined : field;
}

function isOfClaims(field: string): boolean {
  const path = parsePath(field);
  return path[0] === 'metadata' || [Cluster, NodePool].some((claim) => isKnown(claim, path));
}

/** Whether a schema has a field there, or leaves it to others what is there. */
function isKnown(schema: z.ZodType, path: Path): boolean {
  return path.some((_, i) => {
    const here = schemasAt(schema, path.slice(0, i + 1));
    return i === path.length - 1 ? here.length > 0 : here.some((one) => one instanceof z.ZodUnknown);
  });
}

function keyOf({ kind, namespace, name }: Subject): string {
  return [kind, namespace ?? '', name].join('|');
}
