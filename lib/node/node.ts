/** Reads a Kubernetes Node. */
import { conditionOf } from '#lib/api/conditions.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';

/** Put on a Node by Kubernetes when its kubelet has not been heard of for a while. */
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** The name of the Node that a WorkloadNode asks for. */
export function nameAsked(object: KubeObject): string {
  return stringAt(object, 'spec', 'node', 'name') ?? '';
}

export function nameOf(node: KubeObject): string {
  return node.metadata?.name ?? '';
}

export function uidOf(node: KubeObject): string {
  return node.metadata?.uid ?? '';
}

export function isReady(node: KubeObject): boolean {
  return conditionOf(node, 'Ready')?.status === 'True';
}

/** The machine does not respond: its pods cannot confirm that they ended. */
export function isUnreachable(node: KubeObject): boolean {
  return (
    conditionOf(node, 'Ready')?.status === 'Unknown' ||
    taintsOf(node).some((taint) => stringAt(taint, 'key') === UNREACHABLE)
  );
}

export function isUnschedulable(node: KubeObject): boolean {
  return at(node, 'spec', 'unschedulable') === true;
}

export function taintsOf(object: KubeObject): readonly JsonObject[] {
  const taints = at(object, 'spec', 'taints');
  return Array.isArray(taints) ? (taints as readonly Json[]).filter(isJsonObject) : [];
}

/** Hosts without a shell or without systemd, as their Nodes name them. */
const NO_SHELL = /^(Talos|Bottlerocket)\b/;
/** On every Node of Canonical Kubernetes. */
const SNAP = 'k8sd.io/role';
/** Whatever an object sets. */
export const LABELS_READ = [SNAP] as const;

/**
 * Why updaters cannot run on this Node, which a pod would have to enter; undefined: they can.
 * @param version  the Kubernetes version that they bring about
 */
export function withoutUpdaters(node: KubeObject, version: string | undefined): string | undefined {
  const os = stringAt(node, 'status', 'nodeInfo', 'osImage') ?? '';
  const [, name] = NO_SHELL.exec(os) ?? [];
  if (name !== undefined) return `${name} has no shell; accepted: another image of the machine`;
  if (stringAt(node, 'status', 'nodeInfo', 'operatingSystem') === 'windows') return 'Windows has no systemd';
  if (version !== undefined && node.metadata?.labels?.[SNAP] !== undefined)
    return 'Canonical Kubernetes is a snap, which is refreshed by its own API; accepted: another image of the machine';
  return undefined;
}

export function kubeletVersion(node: KubeObject): string | undefined {
  return stringAt(node, 'status', 'nodeInfo', 'kubeletVersion');
}
