/**
 * What the first machine of a cluster is started by where its first boot is not enough: the bootstrap step's word, with
 * the machine's addresses. What the node's object was told once it keeps, whatever becomes of that step.
 */
import { NodeStart } from '#lib/api/contracts/node-start.ts';
import { at } from '#lib/api/json.ts';
import { WorkloadNodeStart } from '#lib/api/kinds/workload-node.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Life } from './life.ts';
import { NODE } from './node.ts';
import type { Situation } from './situation.ts';

export type Start = WorkloadNodeStart;

/** Undefined for every machine that needs no call. Throws BrokenContract when what the step told has not the form of the contract. */
export function startOf({ context }: Request, { observed, previous }: Situation, life: Life): Start | undefined {
  const node = observed.get(NODE);
  const told = context[CONTEXT.nodeStart];
  if (told === undefined) {
    const given = at(node, 'spec', 'start');
    if (node === undefined || given === undefined) return undefined;
    return parseAs(WorkloadNodeStart, given, `spec.start of ${describeObject(node)}`, 'InvalidObserved');
  }
  const { kind, secretRef } = parseAs(NodeStart, told, 'what the bootstrap step starts the node by', 'BrokenContract');
  return { kind, secretRef, addresses: addressesOf(life, previous) };
}

/** IP addresses: a name of the machine may mean nothing where it is called from. */
function addressesOf({ virtualMachine }: Life, { addresses: before = [] }: Situation['previous']): string[] {
  const now = virtualMachine.addresses.length > 0 ? virtualMachine.addresses : before;
  const own = now.filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP').map(({ address }) => address);
  return [...new Set(own)].slice(0, 16);
}
