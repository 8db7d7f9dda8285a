/** Reads a Kubernetes Node. */
import { conditionOf } from '#lib/api/conditions.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';

/** Put on a Node by Kubernetes when its kubelet has not been heard of for a while. */
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/**
 * Whether this is the Node that a WorkloadNode asks for: by provider id when it names one, which wins over the name.
 */
export function standsFor(object: KubeObject, node: KubeObject): boolean {
  const providerID = stringAt(object, 'spec', 'node', 'providerID');
  if (providerID !== undefined) return stringAt(node, 'spec', 'providerID') === providerID;
  return node.metadata?.name === nameAsked(object);
}

/** The name of the Node that a WorkloadNode asks for. */
export function nameAsked(object: KubeObject): string {
  return stringAt(object, 'spec', 'node', 'name') ?? '';
}

/**
 * Whether a Node of the name is not the one this object found before. With a provider id it is the same machine, whose
 * Node may have registered anew; by its name alone it may be another machine.
 */
export function isAnother(object: KubeObject, node: KubeObject): boolean {
  const known = stringAt(object, 'status', 'nodeRef', 'uid');
  if (stringAt(object, 'spec', 'node', 'providerID') !== undefined || known === undefined) return false;
  return known !== uidOf(node);
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
