/** A requested in-place update, parsed: who makes which part of it, and whether every part can be made. */
import type { MachineUpdate } from '#lib/api/contracts/machine-update.ts';
import { UpdateProgress } from '#lib/api/contracts/update-progress.ts';
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';

type Task = MachineUpdate['updaters'][number];

/** Cloud: the virtual machine, which is stopped for it. Taints: evicting taints of the node. */
export type OwnPart = 'Cloud' | 'Taints';

const TAINTS = 'spec.taints';

/**
 * The changes that the machine step itself makes.
 * @param resizable fields that the cloud can change on a stopped machine
 */
export function ownParts({ updaters }: MachineUpdate, resizable: ReadonlySet<string>): ReadonlySet<OwnPart> {
  const fields = updaters.filter(({ runsOn }) => runsOn === 'Machine').flatMap((task) => task.fields);
  const parts = new Set<OwnPart>();
  if (fields.some((field) => resizable.has(field))) parts.add('Cloud');
  if (fields.some((field) => isAtOrBelow(field, TAINTS))) parts.add('Taints');
  return parts;
}

const WHY: Readonly<Record<Task['runsOn'], string>> = {
  Machine: 'the machine step does not support it on this cloud',
  Node: 'no step of the pipeline wrote a script for it',
  Claimant: 'no function claims it',
};

/**
 * The first field that nothing can update; an update with such a field does not begin.
 * @param scripted fields that scripts for the node update
 */
export function impossible(
  { updaters }: MachineUpdate,
  resizable: ReadonlySet<string>,
  scripted: ReadonlySet<string>,
): string | undefined {
  const canDo: Readonly<Record<Task['runsOn'], (field: string) => boolean>> = {
    Machine: (field) => resizable.has(field) || isAtOrBelow(field, TAINTS),
    Node: (field) => scripted.has(field),
    Claimant: () => true,
  };
  for (const { name, runsOn, fields } of updaters) {
    const field = fields.find((one) => !canDo[runsOn](one));
    if (field !== undefined) return `updater ${name} cannot change ${field}: ${WHY[runsOn]}`;
  }
  return undefined;
}

/** Progress of the functions that claimed fields of the update. */
export interface Claimants {
  readonly done: boolean;
  /** The message of the first failure. */
  readonly failed: string | undefined;
}

/** Throws BrokenContract if the data of a claimant violates the contract. */
export function claimantsOf({ context }: Request, { id, updaters }: MachineUpdate): Claimants {
  const names = updaters.filter(({ runsOn }) => runsOn === 'Claimant').map(({ name }) => name);
  const received = context[CONTEXT.updateProgress];
  const all =
    received === undefined
      ? []
      : parseAs(UpdateProgress, received, 'the progress of an update', 'BrokenContract').updates;
  const ours = all.filter((one) => one.id === id && names.includes(one.updater));
  const failed = ours.find(({ phase }) => phase === 'Failed');
  return {
    done: names.every((name) => ours.some((one) => one.updater === name && one.phase === 'Succeeded')),
    failed:
      failed === undefined ? undefined : `updater ${failed.updater} failed: ${failed.message ?? 'it gives no reason'}`,
  };
}
