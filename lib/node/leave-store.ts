/** The way of a Node out of the store of its cluster, when its object is deleted: after the drain, before its Node goes. */
import { type Condition, conditionOf } from '#lib/api/conditions.ts';
import { nodeCondition } from '#lib/api/contracts/workload-node.ts';
import { type KubeObject, at } from '#lib/api/json.ts';
import type { MembershipKind } from '#lib/api/kinds/workload-node.ts';
import { type Decision, look } from './decision.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { memberAmong, memberOf, membershipAsked, membershipOf, refOf } from './membership.ts';
import { isReady, nameOf } from './node.ts';
import type { NodeSituation } from './situation.ts';

const TYPE = 'MembershipLeft';

/**
 * The next action, or what is waited for; undefined: the Node is no member, or not any more.
 * @param name  of the Node
 */
export function leaveStore(
  situation: NodeSituation,
  name: string,
): Decision | { readonly waits: Condition } | undefined {
  const { object, etcd, leave } = situation;
  const asked = membershipAsked(object);
  if (asked === undefined || at(object, 'status', 'leftStore') === true) return undefined;
  if (leave === 'Left') return UNLISTED.has(asked.kind) ? { next: NOTE_LEFT } : undefined;
  if (etcd === undefined) return look('Etcd', 'the Node may be a member of the store of its cluster');
  if (etcd === 'NotPlayed') return undefined;
  if ('cause' in etcd) return { waits: nodeCondition(TYPE, 'Unreachable', `${etcd.cause}; ${remedyOf(asked.kind)}`) };
  const member = memberOf(object, name);
  const membership = membershipOf(member, etcd.members, asked.kind);
  if (membership.way === 'Left') return undefined;
  if (membership.way === 'Wait') return { waits: nodeCondition(TYPE, membership.reason, membership.message) };
  if (leave !== undefined) return { waits: nodeCondition(TYPE, 'Refused', leave.refusal) };
  return { next: { do: 'LeaveStore', member, why: 'the object is deleted, and the Node is drained' } };
}

/** Its member of the store is looked for once, while the Node is well. */
export function lookForMember({ object, etcd }: NodeSituation, node: KubeObject): Decision | undefined {
  const asked = membershipAsked(object);
  if (asked === undefined || !WITH_IDS.has(asked.kind) || !isReady(node)) return undefined;
  if (at(object, 'status', 'member') !== undefined || etcd !== undefined) return undefined;
  return look('Etcd', 'its member of the store is remembered by its own id');
}

/** For the status, as the store lists it; undefined: it does not, or was not looked at. */
export function memberSeen({ etcd }: NodeSituation, node: KubeObject): JsonObject | undefined {
  if (etcd === undefined || etcd === 'NotPlayed' || 'cause' in etcd) return undefined;
  const own = memberAmong(etcd.members, { name: nameOf(node) });
  return own?.id === undefined ? undefined : { ...refOf(own) };
}

/** Stores that give their members ids. */
const WITH_IDS: ReadonlySet<MembershipKind> = new Set(['KubeadmEtcd', 'Talos', 'K3s', 'RKE2']);

/** Stores that list their members nowhere: only this object knows that its Node has left, once the Node is gone. */
const UNLISTED: ReadonlySet<MembershipKind> = new Set(['MicroK8s', 'CanonicalKubernetes']);
const NOTE_LEFT = { do: 'Note', status: { leftStore: true }, why: 'the store lists its members nowhere' } as const;

/** What is said of the membership at the end. */
export function storeConditions({ object, etcd, leave }: NodeSituation): readonly Condition[] {
  if (membershipAsked(object) === undefined) return [];
  if (at(object, 'status', 'leftStore') === true) return [nodeCondition(TYPE, 'Left')];
  if (etcd === undefined || etcd === 'NotPlayed') return [];
  const wasMember = leave !== undefined || conditionOf(object, TYPE) !== undefined;
  return [nodeCondition(TYPE, wasMember ? 'Left' : 'NotAMember')];
}

/** Whether the store keeps a member whose Node was deleted. The others take it out by themselves. */
export function outlastsNode(object: KubeObject): boolean {
  const kind = membershipAsked(object)?.kind;
  return kind !== undefined && kind !== 'K3s' && kind !== 'RKE2';
}

/** What a person can do when the store cannot be reached. */
function remedyOf(kind: MembershipKind): string {
  return `${REACH[kind]}; or remove the member by hand, and then the finalizer of this object`;
}

const FORWARD = 'provider-node must be allowed to forward ports of pods in kube-system';
const OBJECTS = 'provider-node must be allowed to';
const REACH: Readonly<Record<MembershipKind, string>> = {
  KubeadmEtcd: `${FORWARD}, and another control plane must run a healthy etcd`,
  K3s: `${OBJECTS} read Nodes`,
  RKE2: `${OBJECTS} read Nodes`,
  K0s: `${OBJECTS} read etcdmembers.etcd.k0sproject.io and controlnodes.autopilot.k0sproject.io`,
  Talos: 'open TCP port 50000 of the control planes to provider-node',
  MicroK8s: `${FORWARD}, and a pod calico-node must be ready on another control plane`,
  CanonicalKubernetes: `${FORWARD}, and a pod of DaemonSet k8sd-proxy must be ready on another control plane`,
};
