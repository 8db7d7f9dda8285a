/**
 * What a WorkloadNode sets on its Node: labels, annotations, taints, and whether it is cordoned. What it no longer sets
 * is removed; everything else stays, and a Node that a person cordoned stays cordoned. The status of the WorkloadNode
 * records what was set, before it is: a restart forgets nothing, and nothing that a Node says is believed.
 */
import {
  type Json,
  type JsonObject,
  type KubeObject,
  at,
  canonical,
  isJsonObject,
  sameJson,
  stringAt,
  own,
} from '#lib/api/json.ts';
import { knownUid } from './identity.ts';
import { isUnschedulable, nameOf, taintsOf, uidOf } from './node.ts';

interface Marks {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  /** Kubernetes tells taints apart by key and effect: `key:effect`. */
  readonly taints: readonly string[];
  readonly cordoned: boolean;
}

export interface Marking {
  /** For the status, before the Node is changed; undefined: it says so already. */
  readonly record?: JsonObject;
  /** A merge patch that makes the Node match its object; undefined if it does. */
  readonly patch?: JsonObject;
  /** For the status, once the Node matches; null: nothing is set. */
  readonly marks: JsonObject | null;
}

type Values = Readonly<Record<string, string>>;

const NONE: Marks = { labels: [], annotations: [], taints: [], cordoned: false };

/** @param cordoned  by an update */
export function markingOf(node: KubeObject, object: KubeObject, cordoned: boolean): Marking {
  const before = recordedOf(object, node);
  const labels = valuesAt(object, 'spec', 'labels');
  const annotations = valuesAt(object, 'spec', 'annotations');
  const taints = taintsOf(object);
  const unschedulable = at(object, 'spec', 'unschedulable') === true || cordoned;
  const after: Marks = {
    labels: Object.keys(labels).toSorted(),
    annotations: Object.keys(annotations).toSorted(),
    taints: taints.map(keyOf).toSorted(),
    cordoned: unschedulable && (before.cordoned || !isUnschedulable(node)),
  };
  const metadata = {
    ...notEmpty('labels', changes(valuesAt(node, 'metadata', 'labels'), labels, before.labels)),
    ...notEmpty('annotations', changes(valuesAt(node, 'metadata', 'annotations'), annotations, before.annotations)),
  };
  const spec = { ...taintChange(node, taints, before.taints), ...cordonChange(node, unschedulable, before.cordoned) };
  const patch = { ...notEmpty('metadata', metadata), ...notEmpty('spec', spec) };
  const marks = sameJson(after, NONE) ? null : { ...after };
  if (Object.keys(patch).length === 0) return { marks };
  const both = joined(before, after);
  return sameJson(both, before) ? { patch, marks } : { record: { ...refOf(node), marks: { ...both } }, patch, marks };
}

/** Keys of labels that an object sets on its Node, or has set. */
export function labelsUsed(object: KubeObject): readonly string[] {
  return keysUsed(object, 'labels');
}

/** The same of annotations. */
export function annotationsUsed(object: KubeObject): readonly string[] {
  return keysUsed(object, 'annotations');
}

/** The Node, as the status names it. */
export function refOf(node: KubeObject): JsonObject {
  return { nodeRef: { name: nameOf(node), uid: uidOf(node) } };
}

/** A merge patch that cordons a Node before its deletion; undefined if it is cordoned. */
export function cordonOf(node: KubeObject): JsonObject | undefined {
  return isUnschedulable(node) ? undefined : { spec: { unschedulable: true } };
}

/** What was set on a Node that is gone says nothing about the next one of its machine. */
function recordedOf(object: KubeObject, node: KubeObject): Marks {
  const marks = knownUid(object) === uidOf(node) ? at(object, 'status', 'marks') : undefined;
  return {
    labels: listAt(marks, 'labels'),
    annotations: listAt(marks, 'annotations'),
    taints: listAt(marks, 'taints'),
    cordoned: at(marks, 'cordoned') === true,
  };
}

function keysUsed(object: KubeObject, field: 'labels' | 'annotations'): readonly string[] {
  const recorded = listAt(at(object, 'status', 'marks'), field);
  return [...new Set([...Object.keys(valuesAt(object, 'spec', field)), ...recorded])];
}

function listAt(marks: Json | undefined, key: 'labels' | 'annotations' | 'taints'): readonly string[] {
  const found = at(marks, key);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

function joined(before: Marks, after: Marks): Marks {
  const union = (key: 'labels' | 'annotations' | 'taints'): readonly string[] =>
    [...new Set([...before[key], ...after[key]])].toSorted();
  return {
    labels: union('labels'),
    annotations: union('annotations'),
    taints: union('taints'),
    cordoned: before.cordoned || after.cordoned,
  };
}

function changes(present: Values, wanted: Values, owned: readonly string[]): JsonObject {
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

function valuesAt(object: KubeObject, ...path: readonly string[]): Values {
  const found = at(object, ...path);
  return isJsonObject(found) ? (found as Values) : {};
}

function notEmpty(key: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}
