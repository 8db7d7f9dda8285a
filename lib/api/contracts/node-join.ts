/**
 * Contract "node join", version 1: a machine joins its cluster by a token that is valid only while it joins. No function
 * can write it into the cluster: the bootstrap step describes it under CONTEXT.nodeJoin on every call, the machine step
 * stores it with first-boot data and writes its place to the WorkloadNode, and provider-node admits the token and
 * withdraws it once the Node is there. A token that the cluster itself makes comes back: provider-node asks for it, and
 * first-boot data waits for its Secret.
 */
import { z } from 'zod';
import { WorkloadNodeJoin } from '../fields/join.ts';
import { secret } from '../schema/rules.ts';

export const NodeJoin = WorkloadNodeJoin.extend({
  contract: z.literal(1).describe('Version of the contract.'),
  token: secret(z.string().min(1))
    .optional()
    .describe('The token of a machine whose first-boot data is not stored yet: it is stored in the same Secret.'),
});

export type NodeJoin = z.input<typeof NodeJoin>;

/** Key of the token in its Secret. */
export const JOIN_TOKEN_KEY = 'token';

/** Name of the Secret with the token that the cluster made for a Machine. */
export function joinTokenName(machine: string): string {
  return `${machine}-join-token`;
}
