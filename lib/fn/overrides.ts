/**
 * Applies `spec.infrastructure.overrides` of a claim as JSON merge patches (RFC 7386) to the managed resources that a
 * function is about to desire. Only fields for the cloud can be changed, never the identity of an object; overrides
 * that match nothing are returned, for the caller to report.
 */
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { KindFields } from '#lib/api/kind-fields.ts';
import { type Issue, withValue } from '#lib/api/issues.ts';
import { type Json, type JsonObject, type KubeObject, isJsonObject, own, sameJson } from '#lib/api/json.ts';
import { alike, didYouMean } from '#lib/api/nearest.ts';
import { isLike } from '#lib/api/pattern.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import type { ResourceNames } from '#lib/api/resource-names.ts';
import { GROUP } from '#lib/api/words.ts';
import { takingEmptyListsAway } from './empties.ts';
import { faultOf } from './kind-fields.ts';
import { refusedResource } from './override-target.ts';
import { didYouMeanPath, firstOutside, type Overridable, pathsFor, shownPath } from './overridable.ts';

export interface Overridden {
  /** The same keys in the same order. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** One phrase per override that matched no resource, in the order of the claim. */
  readonly unmatched: readonly string[];
}

/**
 * Lays the overrides over the resources, in order; throws InvalidClaim if one sets a field that it may not change.
 * @param resources  managed resources by composition resource name
 * @param owner  how to call the claim: `Cluster "team-a/prod"`
 */
export function applyOverrides(
  resources: ReadonlyMap<string, KubeObject>,
  overrides: readonly Override[],
  owner: string,
  limits: Limits,
): Overridden {
  const composed = new Set([...resources.values()].map(({ kind }) => kind));
  for (const [index, override] of overrides.entries()) {
    const hits = [...resources].filter(([key, { kind }]) => overrideMatches(override, key, kind));
    const observed = hits.flatMap(([key, { kind }]) => changing(key, kind, overrides, limits) ?? []);
    const issue =
      refusedByAnyone(override) ??
      (limits.has?.(override) === true
        ? undefined
        : (refusedByPlatform(override, limits, composed) ??
          refusedByProvider(override, limits, observed) ??
          refusedName(override, limits, resources)));
    if (issue === undefined) continue;
    throw refusalFor(owner, `spec.infrastructure.overrides[${index}].${issue.path}`, issue.message);
  }
  const patched = new Map(resources);
  const unmatched: string[] = [];
  for (const [index, override] of overrides.entries()) {
    const hits = [...patched].filter(([key, resource]) => overrideMatches(override, key, resource.kind));
    for (const [key, resource] of hits) patched.set(key, laidOver(resource, override) as KubeObject);
    if (hits.length === 0 && !mayMiss(override, limits)) unmatched.push(nothingMatches(override, index, resources));
  }
  return { resources: patched, unmatched };
}

function refusedName(
  override: Override,
  { isNew = false, names = {} }: Limits,
  resources: ReadonlyMap<string, KubeObject>,
): Issue | undefined {
  const composed = [...resources].filter(([, { kind }]) => kind === override.kind).map(([key]) => key);
  return isNew ? refusedResource(override, own(names, override.kind) ?? composed) : undefined;
}

/** What exists, if all its overrides together would change it: a later one may take back what an earlier one says. */
function changing(
  key: string,
  kind: string,
  overrides: readonly Override[],
  { observed }: Pick<Limits, 'observed'>,
): KubeObject | undefined {
  const seen = observed?.get(key);
  if (seen === undefined) return undefined;
  const meant = overrides.filter((one) => overrideMatches(one, key, kind));
  const wanted = meant.reduce<Json>(laidOver, seen as unknown as Json);
  return sameJson(wanted, seen) ? undefined : seen;
}

export interface Limits {
  readonly allowed: Overridable;
  /** Where the platform states it, for messages: `ClusterInput of the Composition`. */
  readonly statedIn: string;
  /** What the provider of the cloud has, if it is known. */
  readonly fields?: KindFields | undefined;
  /** By composition resource name: what exists, if an override may not change all of it. */
  readonly observed?: ReadonlyMap<string, KubeObject>;
  /** Kinds that another function composes: it reports overrides that match nothing. */
  readonly elsewhere?: ReadonlySet<string>;
  /** Kinds that are not composed all the time: an override that matches none of them is not reported. */
  readonly later?: ReadonlySet<string>;
  /** Whether nothing of the claim exists: then one that names what nobody composes is refused, and not only reported. */
  readonly isNew?: boolean;
  /** Composition resource names of kinds that another function composes. */
  readonly names?: ResourceNames | undefined;
  /** Whether what exists has an override already: a list that is shorter now leaves it. */
  readonly has?: (override: Override) => boolean;
}

/** Whether every resource that an override means exists, and is already as the override wants it. */
export function isLaid(
  override: Override,
  resources: ReadonlyMap<string, KubeObject>,
  observed: ReadonlyMap<string, KubeObject>,
): boolean {
  const hits = [...resources].filter(([key, { kind }]) => overrideMatches(override, key, kind));
  return (
    hits.length > 0 &&
    hits.every(([key]) => {
      const seen = observed.get(key);
      return seen !== undefined && sameJson(laidOver(seen, override), seen);
    })
  );
}

function laidOver(resource: Json | KubeObject, { patch }: Override): Json {
  return mergePatch(resource, takingEmptyListsAway(patch as JsonObject));
}

/** Whether an override means any of the resources. */
export function meansAny(override: Override, resources: ReadonlyMap<string, KubeObject>): boolean {
  return [...resources].some(([key, { kind }]) => overrideMatches(override, key, kind));
}

function mayMiss({ kind }: Override, { elsewhere, later }: Limits): boolean {
  return elsewhere?.has(kind) === true || later?.has(kind) === true;
}

/** Whether an override means this resource. */
export function overrideMatches({ kind, resource = '*' }: Override, key: string, resourceKind: string): boolean {
  return kind === resourceKind && isLike(key, resource);
}

/**
 * Why the platform does not allow an override, with the path of the field below it; undefined if it does, or if it
 * states no list and the kind is known.
 * @param composed  kinds that are composed, whether the fields of their provider are known or not
 */
export function refusedByPlatform(
  { kind, patch }: Override,
  { allowed, statedIn, fields, isNew = false }: Pick<Limits, 'statedIn'> & Partial<Limits>,
  composed: ReadonlySet<string> = new Set(),
): Issue | undefined {
  const paths = pathsFor(kind, allowed ?? {});
  const path = firstOutside(patch as JsonObject, paths);
  if (path === undefined && !isNew) return undefined;
  const unknown = composed.has(kind) ? undefined : unknownKind(kind, fields, allowed);
  if (unknown !== undefined || path === undefined || allowed === undefined) return unknown;
  const accepted = paths.length === 0 ? 'nothing' : paths.toSorted().join(', ');
  const meant = didYouMeanPath(path, paths);
  const message = `may not be overridden; accepted for ${kind}: ${accepted} (overrides in ${statedIn})${meant}`;
  return { path: `patch.${path}`, message };
}

/** A kind that the provider does not have, and that the platform does not name either. */
function unknownKind(kind: string, fields: KindFields | undefined, allowed: Overridable = {}): Issue | undefined {
  if (fields === undefined || own(fields, kind) !== undefined || own(allowed, kind) !== undefined) return undefined;
  const kinds = [...Object.keys(fields), ...Object.keys(allowed).filter((key) => key !== '*')];
  const accepted = alike(kind, [...new Set(kinds)], 'other kinds');
  return { path: 'kind', message: withValue(kind, `is not accepted; accepted: ${accepted}`) };
}

function inPatch(issue: Issue | undefined): Issue | undefined {
  return issue === undefined ? undefined : { ...issue, path: `patch.${issue.path}` };
}

/**
 * Why the provider does not accept an override, with the path of the field below it. A field that the platform
 * names itself is accepted: its provider may be newer.
 * @param observed  the resources that it means and that exist
 */
export function refusedByProvider(
  { kind, patch }: Override,
  { fields, allowed = {} }: Pick<Partial<Limits>, 'fields' | 'allowed'>,
  observed: readonly KubeObject[] = [],
): Issue | undefined {
  if (fields === undefined) return undefined;
  return inPatch(faultOf(patch as JsonObject, fields, { kind, named: pathsFor(kind, allowed), observed }));
}

const PATCHABLE: Readonly<Record<string, readonly string[]>> = {
  spec: ['forProvider', 'initProvider'],
  metadata: ['labels', 'annotations'],
};
const NO_OBJECT = 'is not accepted; accepted: an object';
const FORBIDDEN =
  'cannot be overridden; accepted: spec.forProvider, spec.initProvider, metadata.labels, metadata.annotations';

/** Why no platform can allow an override, with the path of the field below it. */
export function refusedByAnyone({ patch }: Override): Issue | undefined {
  return inPatch(forbidden(patch as JsonObject));
}

function forbidden(patch: JsonObject): Issue | undefined {
  for (const [part, fields] of Object.entries(patch)) {
    const allowed = own(PATCHABLE, part);
    if (allowed === undefined) return { path: part, message: FORBIDDEN };
    if (!isJsonObject(fields)) return { path: part, message: withValue(fields, NO_OBJECT) };
    for (const [field, value] of Object.entries(fields)) {
      const path = `${part}.${field}`;
      if (!allowed.includes(field)) return { path, message: FORBIDDEN };
      if (!isJsonObject(value)) return { path, message: withValue(value, NO_OBJECT) };
      const issue = refusedKey(value, [part, field]) ?? (part === 'metadata' ? refusedMark(value, field) : undefined);
      if (issue !== undefined) return issue;
    }
  }
  return undefined;
}

/** Labels, annotations and tags of these domains identify objects, or tell controllers what to do with them. */
const RESERVED = [GROUP, 'crossplane.io', 'upbound.io', 'kubernetes.io', 'k8s.io', 'x-k8s.io'] as const;

/** Clouds compare names of tags without case. */
function isReserved(key: string): boolean {
  const [prefix = '', name] = key.toLowerCase().split('/');
  return name !== undefined && RESERVED.some((domain) => prefix === domain || prefix.endsWith(`.${domain}`));
}

/** The first key of a reserved domain, in whatever map it is: no field of a cloud has a name with a slash. */
function refusedKey(value: Json | undefined, path: readonly (string | number)[]): Issue | undefined {
  if (Array.isArray(value)) return first(value.map((item, index) => refusedKey(item, [...path, index])));
  if (!isJsonObject(value)) return undefined;
  const reserved = Object.keys(value).find(isReserved);
  if (reserved === undefined)
    return first(Object.entries(value).map(([key, below]) => refusedKey(below, [...path, key])));
  const message = `cannot be overridden; accepted: keys outside ${RESERVED.join(', ')}`;
  return { path: shownPath([...path, reserved]), message };
}

function first(issues: readonly (Issue | undefined)[]): Issue | undefined {
  return issues.find((issue) => issue !== undefined);
}

/** Labels and annotations are text, or null to remove one. */
function refusedMark(marks: JsonObject, field: string): Issue | undefined {
  const wrong = Object.entries(marks).find(([, value]) => typeof value !== 'string' && value !== null);
  if (wrong === undefined) return undefined;
  const message = withValue(wrong[1], 'is not accepted; accepted: a string, or null to remove it');
  return { path: shownPath(['metadata', field, wrong[0]]), message };
}

function nothingMatches(
  { kind, resource }: Override,
  index: number,
  resources: ReadonlyMap<string, KubeObject>,
): string {
  const which = resource === undefined ? '' : ` "${resource}"`;
  const same = [...resources].filter(([, one]) => one.kind === kind);
  const meant =
    same.length > 0
      ? didYouMean(
          resource,
          same.map(([key]) => key),
        )
      : didYouMean(
          kind,
          [...resources.values()].map((one) => one.kind),
        );
  return `spec.infrastructure.overrides[${index}] matches nothing: no ${kind}${which} is composed${meant}`;
}

/** RFC 7386: objects merge, null takes away, everything else replaces. */
export function mergePatch(target: Json | KubeObject | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map<string, Json | undefined>(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
