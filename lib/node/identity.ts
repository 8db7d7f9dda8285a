/**
 * Which Node a WorkloadNode stands for. A kubelet writes the provider id of its own Node, so that alone proves nothing.
 * The Node that was found before stays the one; a new one has to have a name of its machine, which the API server
 * verified with the certificate of the kubelet.
 */
import ipaddr from 'ipaddr.js';
import type { Condition } from '#lib/api/conditions.ts';
import { nodeCondition } from '#lib/api/contracts/workload-node.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { Decision } from './decision.ts';
import { nameAsked, nameOf, uidOf } from './node.ts';
import { policyOf } from './policies.ts';
import type { NodeSituation } from './situation.ts';

export interface Identity {
  /** Undefined: there is none, or it cannot be told which one it is. */
  readonly node: KubeObject | undefined;
  /** Why it cannot be told. */
  readonly unclear?: string;
  /** What is to be said of other Nodes that pass for it. */
  readonly doubt?: Condition;
}

/** How many Nodes a message names. */
const NAMED = 3;

/** @param nodes  of the workload cluster; those that have nothing to do with it may be left out */
export function identify(object: KubeObject, nodes: readonly KubeObject[]): Identity {
  const claims = nodes.filter((node) => standsFor(object, node));
  const named = claims.filter((node) => isNameOf(object, nameOf(node)));
  const node = claims.find((one) => uidOf(one) === knownUid(object)) ?? (named.length === 1 ? named[0] : undefined);
  const others = claims.filter((one) => one !== node);
  if (others.length === 0) return { node };
  const have = `${others.length === 1 ? 'has' : 'have'} provider id ${providerIdOf(object)}`;
  const all = `${others.length === 1 ? 'Node' : 'Nodes'} ${firstNames(others.map(quoted).toSorted(), NAMED)} ${have}`;
  if (node !== undefined)
    return {
      node,
      doubt: doubtOf('Impersonated', `${all}, too, and ${others.length === 1 ? 'is' : 'are'} left alone`),
    };
  if (named.length === 0)
    return { node, doubt: doubtOf('StrangeName', `${all}, and none of the names of its machine`) };
  const several = `Nodes ${firstNames(named.map(quoted).toSorted(), NAMED)} have provider id ${providerIdOf(object)} and names of its machine`;
  return { node, unclear: `cannot tell which Node is meant: ${several}`, doubt: doubtOf('SeveralNodes', several) };
}

/**
 * Whether a Node says that it is the one a WorkloadNode asks for: by provider id when the object has one, which wins over
 * the name. The one that was found before may not have its provider id yet.
 */
export function standsFor(object: KubeObject, node: KubeObject): boolean {
  const asked = providerIdOf(object);
  if (asked === undefined) return nameOf(node) === nameAsked(object);
  const own = stringAt(node, 'spec', 'providerID');
  return own === undefined ? uidOf(node) === knownUid(object) : own === asked;
}

/**
 * Whether it is a name of the machine: the one asked for, those that its cloud tells, the id in its provider id, and the
 * one that its Node had before. Host names may have another domain than the cloud tells.
 */
export function isNameOf(object: KubeObject, name: string): boolean {
  return [...namesOf(object), stringAt(object, 'status', 'nodeRef', 'name')].some(
    (one) => hostOf(one) === hostOf(name),
  );
}

/**
 * The other WorkloadNode that looks after the Node, as `namespace/name`; undefined: this one does, or nobody yet. Two of
 * them would take turns in removing each other's labels. Of two that have found it, the older one does.
 * @param managers  those of the same workload cluster that have found it
 */
export function otherManagerOf(
  node: KubeObject,
  object: KubeObject,
  managers: readonly KubeObject[],
): string | undefined {
  const isOurs = knownUid(object) === uidOf(node);
  const [first] = managers
    .filter((one) => fullName(one) !== fullName(object) && knownUid(one) === uidOf(node) && isManaging(one))
    .filter((one) => !isOurs || isOlder(one, object))
    .toSorted((one, other) => (isOlder(one, other) ? -1 : 1));
  return first && fullName(first);
}

/**
 * Whether a Node of the name is not the one this object found before. With a provider id it is the same machine, whose
 * Node may have registered anew; by its name alone it may be another machine.
 */
export function isAnother(object: KubeObject, node: KubeObject): boolean {
  const known = knownUid(object);
  return known !== undefined && known !== uidOf(node) && providerIdOf(object) === undefined;
}

/** Of the Node that was found before. */
export function knownUid(object: KubeObject): string | undefined {
  return stringAt(object, 'status', 'nodeRef', 'uid');
}

/** As the situation has them. */
export function managersIn({ workload }: NodeSituation): readonly KubeObject[] {
  return workload === undefined || 'cause' in workload ? [] : (workload.managers ?? []);
}

/** A report also says what is to be said of other Nodes, as long as they are there. */
export function doubting(decision: Decision, { object, workload }: NodeSituation): Decision {
  if ('next' in decision || decision.end.report === undefined) return decision;
  if (workload === undefined || 'cause' in workload) return decision;
  const { doubt } = identify(object, workload.nodes);
  const { report } = decision.end;
  const { conditions, without = [] } = report;
  const said =
    doubt === undefined ? { without: [...without, 'NodeIdentified' as const] } : { conditions: [...conditions, doubt] };
  return { end: { ...decision.end, report: { ...report, ...said } } };
}

function namesOf(object: KubeObject): readonly (string | undefined)[] {
  const names = at(object, 'spec', 'servingCertificates', 'names');
  const told = Array.isArray(names) ? names.filter((one) => typeof one === 'string') : [];
  return [nameAsked(object), ...told, providerIdOf(object)?.split('/').at(-1)];
}

/** No two machines of a cluster have the same. */
function hostOf(name = ''): string {
  return ipaddr.isValid(name) ? name : (name.toLowerCase().split('.')[0] ?? '');
}

function providerIdOf(object: KubeObject): string | undefined {
  return stringAt(object, 'spec', 'node', 'providerID');
}

/** One that may not change its Node manages nothing. */
function isManaging(object: KubeObject): boolean {
  const policy = policyOf(object);
  return policy.way !== 'Act' || policy.may.has('Update');
}

function isOlder({ metadata: one }: KubeObject, { metadata: other }: KubeObject): boolean {
  const [a, b] = [one?.creationTimestamp ?? '', other?.creationTimestamp ?? ''];
  return a === b ? (one?.name ?? '') < (other?.name ?? '') : a < b;
}

function fullName({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function quoted(node: KubeObject): string {
  return `"${nameOf(node)}"`;
}

function doubtOf(reason: 'Impersonated' | 'StrangeName' | 'SeveralNodes', message: string): Condition {
  return nodeCondition('NodeIdentified', reason, message);
}
