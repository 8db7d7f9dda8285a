/**
 * Contract "machine update", version 1: the request of an in-place update. The in-place-update step writes
 * `spec.update` together with the new fields, in one patch; the machine step, updaters and claimants read both. The
 * machine step answers in `status.update`, for the same id. Each id runs once: after Succeeded or Failed it is never
 * started again. Until the answer has the id and says that it began, a newer request may replace it; after that it must
 * end first.
 */
import { z } from 'zod';
import { fieldPath } from '../fields/field-path.ts';
import { duration, objectName } from '../fields/text.ts';

const UpdateTask = z.strictObject({
  name: objectName().describe(
    'Name of the updater, from the Composition or from the function that claimed the fields.',
  ),
  runsOn: z
    .enum(['Machine', 'Node', 'Claimant'])
    .describe(
      'Who runs the update. Machine: the machine step, by changing the resources it composes. Node: provider-node, with a script on the node. Claimant: the function that claimed the fields.',
    ),
  disruptive: z.boolean().describe('Whether the Node is drained before this updater begins.'),
  timeout: duration().describe('How long it may take before it counts as failed.'),
  fields: z.array(fieldPath()).min(1).max(512).describe('The fields of this object that it updates.'),
});

export const MachineUpdate = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(63)
    .describe('Hash of the target, of the updated fields and their new values, and of the previous update.'),
  disruptive: z.boolean().describe('Whether any updater needs the Node drained.'),
  updaters: z.array(UpdateTask).min(1).max(64).describe('Updaters and the fields they update, in order.'),
});

export const MachineUpdateStatus = z.looseObject({
  id: z.string().describe('The update this is about.'),
  phase: z.string().describe('Pending, Draining, Running, Verifying, Succeeded or Failed.'),
  message: z.string().optional().describe('What happened, per updater when there are several.'),
});

/** Whether an update has ended: it is never started again, and its status does not change any more. */
export function hasEnded(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

export type MachineUpdate = z.output<typeof MachineUpdate>;
export type MachineUpdateStatus = z.output<typeof MachineUpdateStatus>;
