/**
 * The token by which a machine joins its cluster: valid while the machine boots, extended until its Node is there, and
 * withdrawn then. A token that nobody extends expires, so nothing depends on the withdrawal.
 */
import { isAsked, WorkloadNodeJoin } from '#lib/api/fields/join.ts';
import { seconds, stampOf, timeOf } from '#lib/api/fields/text.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { askedAbandonment, askedAdmission, askedWithdrawal } from './asked-join.ts';
import { tokenSecretName } from './bootstrap-token.ts';
import { type Decision, look } from './decision.ts';
import { act, DONE, type Joining } from './joining.ts';
import type { NodeSituation } from './situation.ts';

/** Seconds. A shorter life would end between two looks. */
const SHORTEST = 60;

/** While the Node has not registered. */
export function admissionOf(situation: NodeSituation): Joining {
  const { object, now, joinToken, admitted } = situation;
  const join = joinOf(object);
  if (join === undefined || hasJoined(object)) return DONE;
  const { kind } = join;
  if (isAsked(kind)) return askedAdmission(situation, join);
  const life = lifeOf(join);
  if (admitted !== undefined) return { way: 'Done', status: { join: { ...admitted } }, due: life / 2 };
  const left = ((timeOf(stringAt(object, 'status', 'join', 'expiresAt')) ?? now) - now) / 1000;
  if (left > life / 2) return { ...DONE, due: left - life / 2 };
  if (joinToken === undefined) return act(look('JoinToken', 'the machine joins by a token'));
  if (joinToken === 'Missing') return { way: 'Wait', message: `waiting for ${keyOf(object, join)}` };
  if (joinToken === 'Unusable')
    return { way: 'Wait', message: `cannot use ${keyOf(object, join)}: it is not a bootstrap token` };
  const tokenSecret = tokenSecretName(joinToken.id);
  const expiresAt = stampOf(now + life * 1000);
  const why = 'the Node has not registered yet';
  return act({
    next: join.shared
      ? { do: 'ExpireToken', tokenSecret, expiresAt, why }
      : { do: 'AdmitToken', tokenSecret, expiresAt, kind, why },
  });
}

/** Once the Node is there: then its kubelet has a certificate of its own. */
export function withdrawalOf(situation: NodeSituation): Joining {
  const { object, now, joinToken, admitted, withdrawn } = situation;
  const join = joinOf(object);
  if (join === undefined || hasJoined(object)) return DONE;
  if (isAsked(join.kind)) return askedWithdrawal(situation);
  const joined: Joining = { way: 'Done', status: { join: { joined: true } } };
  if (withdrawn === true || (join.shared && admitted !== undefined)) return joined;
  const why = 'the Node is there';
  const known = tokenOf(object);
  if (known !== undefined && !join.shared) return act({ next: { do: 'WithdrawToken', tokenSecret: known, why } });
  // It may have been admitted in a pass that did not come to its report.
  if (joinToken === undefined) return act(look('JoinToken', why));
  if (typeof joinToken === 'string') return joined;
  const tokenSecret = tokenSecretName(joinToken.id);
  if (!join.shared) return act({ next: { do: 'WithdrawToken', tokenSecret, why } });
  return act({ next: { do: 'ExpireToken', tokenSecret, expiresAt: stampOf(now + lifeOf(join) * 1000), why } });
}

/** Before the object goes without a Node: its machine does not join any more. */
export function abandonmentOf(situation: NodeSituation): Decision | undefined {
  const { object, withdrawn } = situation;
  const join = joinOf(object);
  if (join !== undefined && isAsked(join.kind)) return askedAbandonment(situation);
  const tokenSecret = tokenOf(object);
  if (tokenSecret === undefined || withdrawn === true || join?.shared === true) return undefined;
  return { next: { do: 'WithdrawToken', tokenSecret, why: 'the object is deleted' } };
}

function joinOf(object: KubeObject): ReturnType<typeof WorkloadNodeJoin.parse> | undefined {
  const join = at(object, 'spec', 'join');
  return join === undefined ? undefined : WorkloadNodeJoin.parse(join);
}

function hasJoined(object: KubeObject): boolean {
  return at(object, 'status', 'join', 'joined') === true;
}

/** The Secret of the token that was admitted. */
function tokenOf(object: KubeObject): string | undefined {
  return stringAt(object, 'status', 'join', 'tokenSecret');
}

function lifeOf({ ttl }: { readonly ttl: string }): number {
  return Math.max(SHORTEST, seconds(ttl));
}

function keyOf({ metadata }: KubeObject, { secretRef }: { readonly secretRef: { name: string; key: string } }): string {
  return `key "${secretRef.key}" of Secret "${metadata?.namespace ?? ''}/${secretRef.name}"`;
}
