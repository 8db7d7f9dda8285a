/**
 * The token by which the machine joins its cluster, from the bootstrap step. Once written to the WorkloadNode it stays,
 * whatever that step says later.
 */
import { NodeJoin } from '#lib/api/contracts/node-join.ts';
import { at, type Json, type JsonObject } from '#lib/api/json.ts';
import { WorkloadNodeJoin } from '#lib/api/fields/join.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { NODE } from './node.ts';
import type { Situation } from './situation.ts';

export type Join = WorkloadNodeJoin;

/** Undefined if it joins without one. Throws BrokenContract if the data of the step violates the contract. */
export function joinOf({ context }: Request, { observed }: Situation): Join | undefined {
  const received = context[CONTEXT.nodeJoin];
  if (received !== undefined) {
    const { contract: _version, token: _token, ...join } = parseNodeJoin(received);
    return join;
  }
  const node = observed.get(NODE);
  const given = at(node, 'spec', 'join');
  if (node === undefined || given === undefined) return undefined;
  return parseAs(WorkloadNodeJoin, given, `spec.join of ${describeObject(node)}`, 'InvalidObserved');
}

/** The token to store with first-boot data. Throws BrokenContract. */
export function tokenOf(context: JsonObject): string | undefined {
  const received = context[CONTEXT.nodeJoin];
  return received === undefined ? undefined : parseNodeJoin(received).token;
}

function parseNodeJoin(received: Json): NodeJoin {
  return parseAs(NodeJoin, received, 'what the machine joins by', 'BrokenContract');
}
