/**
 * The call that starts the cluster on the first machine if its first boot is not enough: from the bootstrap step, with
 * the addresses of the machine. Once written to the WorkloadNode it stays, whatever that step says later.
 */
import { NodeStart } from '#lib/api/contracts/node-start.ts';
import { at } from '#lib/api/json.ts';
import { WorkloadNodeStart } from '#lib/api/kinds/workload-node.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { addressesOf, IPS } from './addresses.ts';
import type { MachineState } from './state.ts';
import { NODE } from './node.ts';
import type { Situation } from './situation.ts';

export type Start = WorkloadNodeStart;

/** Undefined if no call is needed. Throws BrokenContract if the data of the step violates the contract. */
export function startOf(
  { context }: Request,
  { observed, previous }: Situation,
  state: MachineState,
): Start | undefined {
  const node = observed.get(NODE);
  const received = context[CONTEXT.nodeStart];
  if (received === undefined) {
    const given = at(node, 'spec', 'start');
    if (node === undefined || given === undefined) return undefined;
    return parseAs(WorkloadNodeStart, given, `spec.start of ${describeObject(node)}`, 'InvalidObserved');
  }
  const { kind, secretRef } = parseAs(
    NodeStart,
    received,
    'what the bootstrap step starts the node by',
    'BrokenContract',
  );
  return { kind, secretRef, addresses: addressesOf(state, previous, IPS) };
}
