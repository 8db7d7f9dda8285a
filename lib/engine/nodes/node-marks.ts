/** Labels and taints a WorkloadNode owns on its Node: what it no longer asks for is taken off, all else stays. */
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Node } from './workload-cluster.ts';

/** What a WorkloadNode put on its Node before, by its uid. */
export type Marks = Map<string, { readonly labels: ReadonlySet<string>; readonly taints: ReadonlySet<string> }>;

/** The Node with the marks of `object`, which `marks` remembers for the next time. */
export function marked(node: Node, object: KubeObject, uid: string, marks: Marks): Node {
  const labels = labelsOf(object);
  const taints = taintsOf(object);
  const before = marks.get(uid);
  const keys = new Set(taints.map(keyOfTaint));
  marks.set(uid, { labels: new Set(Object.keys(labels)), taints: keys });
  const others = Object.entries(node.labels).filter(([key]) => before?.labels.has(key) !== true);
  const kept = node.taints.filter(
    (taint) => before?.taints.has(keyOfTaint(taint)) !== true && !keys.has(keyOfTaint(taint)),
  );
  return { ...node, labels: { ...Object.fromEntries(others), ...labels }, taints: [...kept, ...taints] };
}

function labelsOf(object: KubeObject): Readonly<Record<string, string>> {
  const labels = at(object, 'spec', 'labels');
  return isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {};
}

function taintsOf(object: KubeObject): readonly JsonObject[] {
  const taints = at(object, 'spec', 'taints');
  return Array.isArray(taints) ? (taints as readonly Json[]).filter(isJsonObject) : [];
}

/** Kubernetes tells taints apart by key and effect. */
function keyOfTaint(taint: Json): string {
  return `${stringAt(taint, 'key') ?? ''}:${stringAt(taint, 'effect') ?? ''}`;
}
