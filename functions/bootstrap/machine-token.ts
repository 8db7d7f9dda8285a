/**
 * The token by which one machine joins its cluster. It is created before the plan that contains it, and the plan is only
 * written once the token is stored: two calls would create two tokens, and only one of them is stored.
 */
import { JOIN_TOKEN_KEY, JOIN_TOKEN_RESOURCE, joinTokenName, type NodeJoin } from '#lib/api/contracts/node-join.ts';
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { ASKED_TTL, isAsked, type JoinKind } from '#lib/api/fields/join.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { CONTEXT, SECRET_TYPE } from '#lib/api/words.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { belongsElsewhere } from '#lib/fn/claimed-secret.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Call, Waiting } from './bootstrapper.ts';
import { BOOTSTRAP_TOKEN } from './pki/token.ts';
import { dataOf } from './secrets.ts';

/**
 * The token of a machine that has no first-boot data yet. Throws UnreadableSecret if its Secret holds none; never quotes
 * it.
 */
export function machineToken({ request, reply, world, composite: machine }: Call<Machine>): string | Waiting {
  const stored = request.observed.resources.get(JOIN_TOKEN_RESOURCE)?.resource ?? required(reply, machine);
  if (stored === 'Unread') return WAITING;
  if (stored === undefined) {
    reply.compose(JOIN_TOKEN_RESOURCE, secretOf(machine, BOOTSTRAP_TOKEN.make(world)), false);
    return WAITING;
  }
  const token = dataOf(stored)[JOIN_TOKEN_KEY] ?? '';
  const problem =
    belongsElsewhere(stored, machine.spec.clusterRef.name) ??
    (BOOTSTRAP_TOKEN.accepts.test(token) ? undefined : `its ${JOIN_TOKEN_KEY} is not ${BOOTSTRAP_TOKEN.words}`);
  if (problem !== undefined) {
    const { namespace, name } = machine.metadata;
    throw new SlipwayError('UnreadableSecret', `cannot use Secret "${namespace}/${joinTokenName(name)}": ${problem}`);
  }
  // One that exists without its mark, for example after a restore, becomes a resource of the Machine again.
  reply.compose(JOIN_TOKEN_RESOURCE, adopted(stored, machine), true);
  return token;
}

/** A stored token stays, whatever else is missing. */
export function keepToken({ observed }: Request, reply: Reply): void {
  const stored = observed.resources.get(JOIN_TOKEN_RESOURCE)?.resource;
  if (stored !== undefined) reply.compose(JOIN_TOKEN_RESOURCE, asDesired(stored), true);
}

/**
 * Has provider-node ask the cluster for the token of a machine, and delete it once the machine has joined: on every
 * call, with and without first-boot data.
 */
export function askForToken(reply: Reply, machine: Machine, kind: JoinKind): void {
  const join: NodeJoin = {
    contract: 1,
    kind,
    secretRef: { name: joinTokenName(machine.metadata.name), key: JOIN_TOKEN_KEY },
    authSecretRef: { name: `${machine.spec.clusterRef.name}-${AUTH_TOKEN.suffix}` },
    ttl: ASKED_TTL,
  };
  reply.context(CONTEXT.nodeJoin, { ...join });
}

/**
 * Passes the token of a machine with first-boot data on to provider-node.
 * @param earlier key of the token in the Secret `<cluster>-token` by which machines of earlier releases joined
 */
export function handOnToken(
  request: Request,
  reply: Reply,
  machine: Machine,
  kind: JoinKind,
  earlier: string | undefined,
): void {
  if (isAsked(kind)) return askForToken(reply, machine, kind);
  const stored = request.observed.resources.get(JOIN_TOKEN_RESOURCE)?.resource;
  const join = (name: string, key: string, shared: boolean): NodeJoin => ({
    contract: 1,
    kind,
    secretRef: { name, key },
    ...(shared ? { shared } : {}),
  });
  if (stored !== undefined) {
    reply.context(CONTEXT.nodeJoin, { ...join(joinTokenName(machine.metadata.name), JOIN_TOKEN_KEY, false) });
  } else if (earlier !== undefined) {
    const { namespace } = machine.metadata;
    const matchName = `${machine.spec.clusterRef.name}-token`;
    const [shared] = reply.require(EARLIER, { apiVersion: 'v1', kind: 'Secret', namespace, matchName }) ?? [];
    if (shared !== undefined) reply.context(CONTEXT.nodeJoin, { ...join(matchName, earlier, true) });
  }
}

const WAITING: Waiting = { waiting: 'waiting for the join token of the machine to be stored' };
/** Requirement name. */
const EARLIER = 'cluster-token';

function required(reply: Reply, machine: Machine): KubeObject | 'Unread' | undefined {
  const { name, namespace } = machine.metadata;
  const selector = { apiVersion: 'v1', kind: 'Secret', namespace, matchName: joinTokenName(name) };
  const asked = reply.require(JOIN_TOKEN_RESOURCE, selector);
  return asked === undefined ? 'Unread' : asked[0];
}

function secretOf(machine: Machine, token: string): KubeObject {
  const { name, namespace } = machine.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: joinTokenName(name), namespace, labels: labelsOf(machine) },
    type: SECRET_TYPE,
    immutable: true,
    data: { [JOIN_TOKEN_KEY]: Buffer.from(token).toString('base64') },
  };
}

function adopted(stored: KubeObject, machine: Machine): KubeObject {
  const desired = asDesired(stored);
  const labels = { ...desired.metadata?.labels, ...labelsOf(machine) };
  return { ...desired, metadata: { ...desired.metadata, labels }, immutable: true };
}
