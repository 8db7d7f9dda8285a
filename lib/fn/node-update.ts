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
 * Adds the scripts for each updater of the order that runs on the node and changes one of their fields; none, and
 * nothing is added. Throws BrokenContract when what an earlier step left there has not the form of the contract.
 * @param step  whose scripts these are; it waits for nothing any more
 */
export function addNodeScripts(
  request: Request,
  reply: Reply,
  order: MachineUpdate,
  step: string,
  scripts: readonly NodeScript[],
): void {
  const added = order.updaters.flatMap(({ name, runsOn, fields }) =>
    scripts.flatMap((script): readonly NodeUpdateScript[] => {
      const covered = fields.filter((field) => script.fields.some((path) => isAtOrBelow(field, path)));
      if (runsOn !== 'Node' || covered.length === 0) return [];
      return [{ updater: name, fields: covered, script: script.script }];
    }),
  );
  const earlier = readNodeUpdate(request, order.id);
  if (added.length === 0 && earlier?.waiting?.[step] === undefined) return;
  const { [step]: _own, ...waiting } = earlier?.waiting ?? {};
  write(reply, order, [...(earlier?.scripts ?? []), ...added], waiting);
}

/** Holds the update back, before it begins, until a step can write its scripts. @param why  one line */
export function awaitNodeScripts(
  request: Request,
  reply: Reply,
  order: MachineUpdate,
  step: string,
  why: string,
): void {
  const earlier = readNodeUpdate(request, order.id);
  write(reply, order, earlier?.scripts ?? [], { ...earlier?.waiting, [step]: why });
}

/** Crossplane calls a step again with what it wrote, when it gets what the step required. */
function write(
  reply: Reply,
  { id }: MachineUpdate,
  scripts: readonly NodeUpdateScript[],
  waiting: Readonly<Record<string, string>>,
): void {
  const more = Object.keys(waiting).length === 0 ? {} : { waiting };
  reply.context(CONTEXT.nodeUpdate, { contract: 1, id, scripts: [...scripts], ...more });
}

/** The scripts of earlier steps; undefined when there are none for this order. */
export function readNodeUpdate({ context }: Request, id: string): NodeUpdate | undefined {
  const found = context[CONTEXT.nodeUpdate];
  if (found === undefined) return undefined;
  const update = parseAs(NodeUpdate, found, 'the scripts of an earlier step', 'BrokenContract');
  return update.id === id ? update : undefined;
}
