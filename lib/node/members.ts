/** Members of stores that are known by objects of the Kubernetes API: healthy is a member whose Node is ready. */
import { conditionOf } from '#lib/api/conditions.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { membershipAsked } from './membership.ts';
import { isReady, nameOf } from './node.ts';
import type { EtcdMember } from './situation.ts';

/** The annotations of a Node by which k3s and RKE2 take it out of etcd. */
export interface LeaveAnnotations {
  /** `true` asks for it. */
  readonly remove: string;
  /** Name of the member that was removed. */
  readonly removed: string;
  /** Name of the member, as long as it is one. */
  readonly member: string;
}

export const LEAVE_ANNOTATIONS: Readonly<Record<'K3s' | 'RKE2', LeaveAnnotations>> = {
  K3s: annotationsOf('etcd.k3s.cattle.io'),
  RKE2: annotationsOf('etcd.rke2.cattle.io'),
};

/** @param nodes  those with the role of etcd */
export function supervisedMembers(nodes: readonly KubeObject[], annotations: LeaveAnnotations): readonly EtcdMember[] {
  return nodes
    .filter((node) => !isRemoved(node, annotations))
    .map((node) => ({
      ...ofNode(node),
      ...idOf(node, annotations),
      // Set by the supervisor: False while the member only learns, or was removed.
      isHealthy: isReady(node) && conditionOf(node, 'EtcdIsVoter')?.status !== 'False',
      ...(node.metadata?.annotations?.[annotations.remove] === 'true' ? { leaving: 'Asked' as const } : {}),
    }));
}

function idOf({ metadata }: KubeObject, { member }: LeaveAnnotations): Pick<EtcdMember, 'id'> {
  const id = metadata?.annotations?.[member];
  return id === undefined ? {} : { id };
}

/** Unless it has joined again since, under another name. */
function isRemoved({ metadata }: KubeObject, { removed, member }: LeaveAnnotations): boolean {
  const name = metadata?.annotations?.[removed];
  return name !== undefined && (metadata?.annotations?.[member] ?? name) === name;
}

/**
 * The Nodes of those WorkloadNodes whose machines are members of a store that lists its members nowhere, and have not
 * left it. That a Node calls itself a control plane, or says that it has left, counts for nothing.
 * @param peers  the WorkloadNodes of the cluster
 */
export function unlistedNodes(nodes: readonly KubeObject[], peers: readonly KubeObject[]): readonly KubeObject[] {
  const names = new Set(stayingOf(peers));
  return nodes.filter((node) => names.has(nameOf(node)));
}

/** @param own  name of the Node that is to leave: it is a member although its Node is gone */
export function unlistedMembers(
  nodes: readonly KubeObject[],
  peers: readonly KubeObject[],
  own: string,
): readonly EtcdMember[] {
  const members = unlistedNodes(nodes, peers).map(ofNode);
  const isGone = stayingOf(peers).includes(own) && members.every(({ name }) => name !== own);
  return isGone ? [...members, { name: own, isHealthy: false, isLeader: false }] : members;
}

/** Names of their Nodes. */
function stayingOf(peers: readonly KubeObject[]): readonly string[] {
  return peers
    .filter((peer) => membershipAsked(peer) !== undefined && at(peer, 'status', 'leftStore') !== true)
    .flatMap((peer) => stringAt(peer, 'status', 'nodeRef', 'name') ?? []);
}

/**
 * @param members  EtcdMembers, which have the names of their Nodes and stay when they have left
 * @param controls  names of the ControlNodes, which are deleted last
 */
export function k0sMembers(
  members: readonly KubeObject[],
  controls: ReadonlySet<string>,
  nodes: readonly KubeObject[],
): readonly EtcdMember[] {
  return members.flatMap((member): readonly EtcdMember[] => {
    const name = nameOf(member);
    const node = nodes.find((one) => nameOf(one) === name);
    const common = { name, isHealthy: node !== undefined && isReady(node), isLeader: false };
    const joined = conditionOf(member, 'Joined')?.status;
    if (joined === 'False') return controls.has(name) ? [{ ...common, leaving: 'Out' }] : [];
    return [{ ...common, ...(at(member, 'spec', 'leave') === true ? { leaving: 'Asked' as const } : {}) }];
  });
}

function ofNode(node: KubeObject): EtcdMember {
  return { name: nameOf(node), isHealthy: isReady(node), isLeader: false };
}

function annotationsOf(prefix: string): LeaveAnnotations {
  return { remove: `${prefix}/remove`, removed: `${prefix}/removed-node-name`, member: `${prefix}/node-name` };
}
