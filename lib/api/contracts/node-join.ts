/**
 * Contract "node join", version 1: a machine joins its cluster by a token that is valid only while it joins. No function
 * can write it into the cluster: the bootstrap step describes it under CONTEXT.nodeJoin on every call, the machine step
 * writes it to the WorkloadNode, and provider-node admits the token and withdraws it once the Node is there. A token that
 * the cluster itself makes comes back: provider-node asks for it, and first-boot data waits for its Secret.
 */
import { z } from 'zod';
import { WorkloadNodeJoin } from '../fields/join.ts';

export const NodeJoin = WorkloadNodeJoin.extend({ contract: z.literal(1).describe('Version of the contract.') });

export type NodeJoin = z.input<typeof NodeJoin>;

/** Composition resource name of the Secret with the token of a Machine, its name, and its key. */
export const JOIN_TOKEN_RESOURCE = 'join-token';
export const JOIN_TOKEN_KEY = 'token';

export function joinTokenName(machine: string): string {
  return `${machine}-join-token`;
}
