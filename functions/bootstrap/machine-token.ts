/**
 * The token by which one machine joins its cluster. It is made with the plan that contains it, and the machine step
 * stores both in one immutable Secret: of two calls with two tokens, one is stored whole.
 */
import { JOIN_TOKEN_KEY, joinTokenName, type NodeJoin } from '#lib/api/contracts/node-join.ts';
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { ASKED_TTL, isAsked, type JoinKind } from '#lib/api/fields/join.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { payloadName } from '#lib/cloud/first-boot.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { World } from '#lib/fn/world.ts';
import { BOOTSTRAP_TOKEN } from './pki/token.ts';

/** The token of a machine without first-boot data, made at its first use. */
export class NewToken {
  #token: string | undefined;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  readonly take = (): string => (this.#token ??= BOOTSTRAP_TOKEN.make(this.#world));

  /** To be stored with the plan that contains it. */
  handOn(reply: Reply, machine: Machine, kind: JoinKind): void {
    if (this.#token !== undefined) reply.context(CONTEXT.nodeJoin, { ...joinBy(machine, kind), token: this.#token });
  }
}

/** Names the token of a machine to provider-node. @param payload  its stored first-boot data */
export function handOnToken(reply: Reply, machine: Machine, kind: JoinKind, payload: KubeObject): void {
  if (isAsked(kind)) return askForToken(reply, machine, kind);
  if (at(payload, 'data', JOIN_TOKEN_KEY) !== undefined) reply.context(CONTEXT.nodeJoin, { ...joinBy(machine, kind) });
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

function joinBy({ metadata: { name } }: Machine, kind: JoinKind): NodeJoin {
  return { contract: 1, kind, secretRef: { name: payloadName(name), key: JOIN_TOKEN_KEY } };
}
