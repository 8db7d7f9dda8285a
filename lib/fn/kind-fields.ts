/**
 * Judges an override by the fields that the provider has: at the claim, with its field named, before the API server
 * refuses the whole object.
 */
import { type Field, type KindFields, MARK } from '#lib/api/kind-fields.ts';
import { type Issue, withValue } from '#lib/api/issues.ts';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject, own, sameJson } from '#lib/api/json.ts';
import { alike, oneOf } from '#lib/api/nearest.ts';
import { shownPath } from './overridable.ts';

interface Known {
  readonly field: Field;
  readonly marks: string;
}

export interface Context {
  readonly kind: string;
  /** Paths that the platform names itself: its provider may be newer, and have fields that are not known here. */
  readonly named?: readonly string[];
  /** What exists, if it is judged whether it may change. */
  readonly observed?: readonly KubeObject[];
}

/** The first field of a patch that the provider does not accept, with its path; undefined: all are accepted. */
export function faultOf(patch: JsonObject, fields: KindFields, context: Context): Issue | undefined {
  const text = own(fields, context.kind);
  if (text === undefined) return undefined;
  const tree = JSON.parse(text) as Field;
  for (const part of ['forProvider', 'initProvider']) {
    const value = at(patch, 'spec', part);
    const found = isJsonObject(value) ? faultIn(value, tree, ['spec', part], context) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

type Path = readonly (string | number)[];

function faultIn(value: Json, field: Field, path: Path, context: Context): Issue | undefined {
  const wrong = (accepted: string): Issue => ({
    path: shownPath(path),
    message: withValue(value, `is not accepted; accepted: ${accepted}`),
  });
  if (typeof field === 'string') return isOf(value, field) ? undefined : wrong(article(field));
  if (isList(field)) {
    if (!Array.isArray(value)) return wrong('a list');
    return first(value.map((item: Json, index) => faultIn(item, field[0], [...path, index], context)));
  }
  const values = field['='];
  if (values !== undefined) {
    const accepted = values as readonly Json[];
    return accepted.some((one) => sameJson(one, value)) ? undefined : wrong(oneOf(value, accepted.map(String)));
  }
  if (!isJsonObject(value)) return wrong('an object');
  return first(Object.entries(value).map(([name, below]) => faultAt(name, below ?? null, field, path, context)));
}

function faultAt(
  name: string,
  value: Json,
  fields: Exclude<Field, string | readonly [Field]>,
  path: Path,
  context: Context,
): Issue | undefined {
  const here = [...path, name];
  const rest = fields['*'];
  if (rest !== undefined) return value === null ? undefined : faultIn(value, rest as Field, here, context);
  const known = knownIn(fields, name);
  const isInitial = path[1] === 'initProvider';
  if (known === undefined || (isInitial && path.length === 2 && known.marks.includes(MARK.notInitial))) {
    if (context.named?.includes(shownPath(['spec', 'forProvider', ...here.slice(2)])) === true) return undefined;
    const message = `unknown field of ${context.kind}; accepted: ${alike(name, Object.keys(fields).map(nameOf), 'other fields of its provider')}`;
    return { path: shownPath(here), message };
  }
  const isRemoval = value === null;
  if (isRemoval && known.marks.includes(MARK.required) && !isInitial)
    return { path: shownPath(here), message: `cannot be taken away: the provider requires it for ${context.kind}` };
  if (known.marks.includes(MARK.fixed) && !isInitial) {
    const issue = changed(value, here, context);
    if (issue !== undefined) return issue;
  }
  return isRemoval ? undefined : faultIn(value, known.field, here, context);
}

/** Of objects that exist, the provider refuses another value for ever, and with it every other change. */
function changed(value: Json, path: Path, { kind, observed = [] }: Context): Issue | undefined {
  if (path.some((step) => typeof step === 'number')) return undefined;
  const present = observed
    .map((object) => at(object, ...(path as readonly string[])))
    .find((one) => one !== undefined && !isAs(one, value));
  if (present === undefined) return undefined;
  const shown = isJsonObject(present) || Array.isArray(present) ? 'its present value' : JSON.stringify(present);
  const message = `cannot change on ${kind} that exists, since the provider would have to replace it; accepted: ${shown}`;
  return { path: shownPath(path), message };
}

/** Whether a patch leaves what is there: others of its fields may be of the composition or of the provider. */
function isAs(present: Json | undefined, patch: Json): boolean {
  if (patch === null) return present === undefined;
  if (!isJsonObject(patch)) return present !== undefined && sameJson(present, patch);
  return isJsonObject(present) && Object.entries(patch).every(([key, below]) => isAs(own(present, key), below ?? null));
}

function knownIn(fields: Exclude<Field, string | readonly [Field]>, name: string): Known | undefined {
  for (const marks of MARKS) {
    const field = own(fields, `${name}${marks}`);
    if (field !== undefined) return { field: field as Field, marks };
  }
  return undefined;
}

/** Every way to mark a name, in the order in which they are written. */
const MARKS: readonly string[] = ['', '!'].flatMap((one) =>
  ['', '~'].flatMap((two) => ['', '-'].map((three) => `${one}${two}${three}`)),
);

function nameOf(key: string): string {
  return key.replace(/(?<![!~-])[!~-]+$/, '');
}

function isList(field: Field): field is readonly [Field] {
  return Array.isArray(field);
}

function isOf(value: Json, type: string): boolean {
  if (type === 'any') return true;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function article(type: string): string {
  return type === 'integer' ? 'a whole number' : type === 'boolean' ? 'true, false' : `a ${type}`;
}

function first(issues: readonly (Issue | undefined)[]): Issue | undefined {
  return issues.find((issue) => issue !== undefined);
}
