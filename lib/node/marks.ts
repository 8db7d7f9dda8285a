/**
 * What a WorkloadNode sets on its Node: labels, annotations, taints, and whether it is cordoned. What it no longer sets
 * is removed; everything else stays, and a Node that a person cordoned stays cordoned. An annotation on the Node
 * records what was set, so that a restart forgets nothing.
 */
import {
  type JsonObject,
  type KubeObject,
  at,
  canonical,
  isJsonObject,
  sameJson,
  stringAt,
  own,
} from '#lib/api/json.ts';
import { isUnschedulable, taintsOf } from './node.ts';

export const OWNED = 'node.slipway.dev/owned';

interface Owned {
  /** `namespace/name` of the WorkloadNode; undefined: written by a release that did not say so. */
  readonly by?: string;
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  /** Kubernetes tells taints apart by key and effect: `key:effect`. */
  readonly taints: readonly string[];
  readonly cordoned: boolean;
}

type Marks = Readonly<Record<string, string>>;

/** A merge patch that makes the Node match its object; undefined if it does. @param cordoned by an update */
export function patchOf(node: KubeObject, object: KubeObject, cordoned: boolean): JsonObject | undefined {
  const before = ownedOf(node);
  const labels = marksAt(object, 'spec', 'labels');
  const annotations = marksAt(object, 'spec', 'annotations');
  const taints = taintsOf(object);
  const unschedulable = at(object, 'spec', 'unschedulable') === true || cordoned;
  const after: Owned = {
    by: fullName(object),
    labels: Object.keys(labels).toSorted(),
    annotations: Object.keys(annotations).toSorted(),
    taints: taints.map(keyOf).toSorted(),
    cordoned: unschedulable && (before.cordoned || !isUnschedulable(node)),
  };
  const note = canonical(after) === canonical(before) ? {} : { [OWNED]: canonical(after) };
  const metadata = {
    ...notEmpty('labels', changes(marksAt(node, 'metadata', 'labels'), labels, before.labels)),
    ...notEmpty('annotations', {
      ...changes(marksAt(node, 'metadata', 'annotations'), annotations, before.annotations),
      ...note,
    }),
  };
  const spec = { ...taintChange(node, taints, before.taints), ...cordonChange(node, unschedulable, before.cordoned) };
  const patch = { ...notEmpty('metadata', metadata), ...notEmpty('spec', spec) };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/**
 * The other WorkloadNode that looks after the Node, as `namespace/name`; undefined: this one does, or nobody yet. Two of
 * them would take turns in removing each other's labels.
 */
export function otherOwnerOf(node: KubeObject, object: KubeObject): string | undefined {
  const { by } = ownedOf(node);
  return by === fullName(object) ? undefined : by;
}

function fullName({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

/** A merge patch that cordons a Node before its deletion; undefined if it is cordoned. */
export function cordonOf(node: KubeObject): JsonObject | undefined {
  return isUnschedulable(node) ? undefined : { spec: { unschedulable: true } };
}

function ownedOf(node: KubeObject): Owned {
  const nothing: Owned = { labels: [], annotations: [], taints: [], cordoned: false };
  try {
    const note: unknown = JSON.parse(stringAt(node, 'metadata', 'annotations', OWNED) ?? '{}');
    const list = (key: string): readonly string[] => {
      const found = at(note, key);
      return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
    };
    const by = stringAt(note, 'by');
    return {
      ...(by === undefined ? {} : { by }),
      labels: list('labels'),
      annotations: list('annotations'),
      taints: list('taints'),
      cordoned: at(note, 'cordoned') === true,
    };
  } catch {
    return nothing; // somebody wrote something else there: what was ours stays where it is
  }
}

function changes(present: Marks, wanted: Marks, owned: readonly string[]): JsonObject {
  const gone = owned.filter((key) => own(wanted, key) === undefined && own(present, key) !== undefined);
  const set = Object.entries(wanted).filter(([key, value]) => own(present, key) !== value);
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(set) };
}

/** A merge patch has lists as a whole. The order of taints means nothing. */
function taintChange(node: KubeObject, wanted: readonly JsonObject[], owned: readonly string[]): JsonObject {
  const present = taintsOf(node);
  const ours = new Set([...owned, ...wanted.map(keyOf)]);
  const taints = [...present.filter((taint) => !ours.has(keyOf(taint))), ...wanted];
  return sameJson(sorted(present), sorted(taints)) ? {} : { taints };
}

function cordonChange(node: KubeObject, wanted: boolean, owned: boolean): JsonObject {
  if (wanted) return isUnschedulable(node) ? {} : { unschedulable: true };
  return owned && isUnschedulable(node) ? { unschedulable: false } : {};
}

function sorted(taints: readonly JsonObject[]): readonly string[] {
  return taints.map(canonical).toSorted();
}

function keyOf(taint: JsonObject): string {
  return `${stringAt(taint, 'key') ?? ''}:${stringAt(taint, 'effect') ?? ''}`;
}

function marksAt(object: KubeObject, ...path: readonly string[]): Marks {
  const found = at(object, ...path);
  return isJsonObject(found) ? (found as Marks) : {};
}

function notEmpty(key: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}
