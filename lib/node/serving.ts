/**
 * Certificates with which kubelets serve: a request is approved if it is the Node's own, whose name is one of the machine,
 * and if it asks only for names and addresses that the cloud gave the machine. Any other request is left to people: it stays pending and is never denied.
 */
import ipaddr from 'ipaddr.js';
import { type Json, type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { type Decision, look, type Tell } from './decision.ts';
import { isNameOf } from './identity.ts';
import { nameOf } from './node.ts';
import type { NodeSituation, ServingRequest } from './situation.ts';

export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

const NODES_GROUP = 'system:nodes';
const GROUPS: ReadonlySet<string> = new Set([NODES_GROUP, 'system:authenticated']);
const SERVER_AUTH = 'server auth';
const USAGES: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', SERVER_AUTH]);
/** As many as the status shows. */
const MOST = 5;

/** What kubelets are known by. */
export function kubeletName(node: string): string {
  return `system:node:${node}`;
}

/** The next action about pending requests of the Node; undefined: none is left, or nobody asked to approve them. */
export function servingOf(situation: NodeSituation, node: KubeObject): Decision | undefined {
  const { object, certificates } = situation;
  if (certificates === undefined) return look('Certificates', 'the kubelet may ask for one, and others may expire');
  if (!approves(object)) return undefined;
  for (const request of certificates.requests) {
    const why = refusalOf(object, node, request);
    const { name, uid } = request;
    if (why === undefined)
      return {
        next: { do: 'Approve', request: name, uid, why: 'it asks for names and addresses of its machine only' },
      };
  }
  return undefined;
}

/** Events about requests that are not approved: one for each, however often it is looked at. */
export function tellPending(situation: NodeSituation, node: KubeObject): readonly Tell[] {
  return pendingRequests(situation, node)
    .map((one) => [stringAt(one, 'request') ?? '', stringAt(one, 'why') ?? ''] as const)
    .filter(([name]) => !isKnown(situation.object, name))
    .map(([name, why]) => ({
      type: 'Warning',
      reason: 'CertificateRequestPending',
      message: `CertificateSigningRequest "${name}" is not approved: ${why}; approve or deny it with kubectl certificate`,
    }));
}

/** For the status: requests that are not approved, and why. */
export function pendingRequests({ object, certificates }: NodeSituation, node: KubeObject): readonly JsonObject[] {
  if (!approves(object)) return [];
  const pending = (certificates?.requests ?? []).flatMap((request): readonly JsonObject[] => {
    const why = refusalOf(object, node, request);
    return why === undefined ? [] : [{ request: request.name, why }];
  });
  return pending.toSorted(byRequest).slice(0, MOST);
}

/** Why a request is not approved; undefined: it may be. Never repeats more than the first thing that is wrong. */
export function refusalOf(object: KubeObject, node: KubeObject, request: ServingRequest): string | undefined {
  const kubelet = kubeletName(nameOf(node));
  const { problem, signer, username, groups, usages, subject } = request;
  if (problem !== undefined) return problem;
  if (signer !== SERVING_SIGNER) return `its signer is "${signer}"`;
  if (!isNameOf(object, nameOf(node))) return `Node "${nameOf(node)}" has none of the names of its machine`;
  if (username !== kubelet) return `"${username}" sent it, not "${kubelet}"`;
  if (groups.length !== GROUPS.size || groups.some((group) => !GROUPS.has(group)))
    return `the groups of its sender are ${groups.join(', ')}`;
  const usage = usages.find((one) => !USAGES.has(one));
  if (usage !== undefined) return `it asks for usage "${usage}"`;
  if (!usages.includes(SERVER_AUTH)) return `it does not ask for usage "${SERVER_AUTH}"`;
  if (subject.commonName !== kubelet || subject.organizations.join() !== NODES_GROUP)
    return `its subject is not "${kubelet}" of ${NODES_GROUP}`;
  return strangeName(object, request);
}

/** A name or address that the cloud did not give the machine. */
function strangeName(object: KubeObject, { names, addresses, others }: ServingRequest): string | undefined {
  if (names.length + addresses.length === 0) return 'it names no name and no address';
  if (others > 0) return 'it asks for something that is neither a name nor an address';
  const known = new Set(listAt(object, 'names').map((name) => name.toLowerCase()));
  const name = names.find((one) => !known.has(one.toLowerCase()));
  if (name !== undefined) return `"${name}" is not a name of its machine`;
  const own = new Set(listAt(object, 'addresses').map(plainAddress));
  const address = addresses.find((one) => !own.has(plainAddress(one)));
  return address === undefined ? undefined : `${address} is not an address of its machine`;
}

/** The same text for the same address. */
function plainAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.parse(text).toString() : text;
}

function approves(object: KubeObject): boolean {
  return at(object, 'spec', 'servingCertificates', 'approve') === true;
}

function listAt(object: KubeObject, key: 'names' | 'addresses'): readonly string[] {
  const list = at(object, 'spec', 'servingCertificates', key);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** It was told of in an earlier look. */
function isKnown(object: KubeObject, request: string): boolean {
  const pending = at(object, 'status', 'certificates', 'pending');
  return Array.isArray(pending) && (pending as readonly Json[]).some((one) => stringAt(one, 'request') === request);
}

function byRequest(a: JsonObject, b: JsonObject): number {
  return (stringAt(a, 'request') ?? '') < (stringAt(b, 'request') ?? '') ? -1 : 1;
}
