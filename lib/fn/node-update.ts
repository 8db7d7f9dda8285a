/** How a step of a Machine's pipeline adds its script to the contract "node update". */
import { NodeUpdate, type NodeUpdateScript } from '#lib/api/contracts/node-update.ts';
import type { MachineUpdate } from '#lib/api/contracts/machine-update.ts';
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** What brings fields of a Machine about on a node that exists. */
export interface NodeScript {
  /** Paths, each with everything below it. */
  readonly fields: readonly string[];
  readonly script: string;
}

/**
 * Adds the script for each updater of the order that runs on the node and changes one of the script's fields; none,
 * and nothing is added. Throws BrokenContract when what an earlier step left there has not the form of the contract.
 */
export function addNodeScript(request: Request, reply: Reply, order: MachineUpdate, script: NodeScript): void {
  const scripts = order.updaters.flatMap(({ name, runsOn, fields }): readonly NodeUpdateScript[] => {
    const covered = fields.filter((field) => script.fields.some((path) => isAtOrBelow(field, path)));
    if (runsOn !== 'Node' || covered.length === 0) return [];
    return [{ updater: name, fields: covered, script: script.script }];
  });
  if (scripts.length === 0) return;
  const earlier = readNodeUpdate(request, order.id)?.scripts ?? [];
  reply.context(CONTEXT.nodeUpdate, { contract: 1, id: order.id, scripts: [...earlier, ...scripts] });
}

/** The scripts of earlier steps; undefined when there are none for this order. */
export function readNodeUpdate({ context }: Request, id: string): NodeUpdate | undefined {
  const found = context[CONTEXT.nodeUpdate];
  if (found === undefined) return undefined;
  const update = parseAs(NodeUpdate, found, 'the scripts of an earlier step', 'BrokenContract');
  return update.id === id ? update : undefined;
}
