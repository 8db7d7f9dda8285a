/** What the Composition tells the in-place-update step: which composed resources it looks after, and its rules. */
import { z } from 'zod';
import { fieldPath } from '#lib/api/fields/field-path.ts';
import { duration, objectName } from '#lib/api/fields/text.ts';
import { inputFields } from '#lib/fn/input.ts';

const Rule = z.strictObject({
  path: fieldPath().describe('Field the rule is about, with everything below it. [*] stands for any item of a list.'),
  when: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe(
      'CEL that must hold for the rule to meet a change: old and new are the values at path (null where there is none), resource is the object that exists, desired what it should be, composite the XR.',
    ),
  decision: z
    .enum(['Patch', 'Recreate', 'Ignore', 'Update'])
    .describe(
      'Patch: change it on the object that exists. Recreate: make a new object, then let the old one go. Ignore: what exists keeps its value; only new objects get the new one. Update: an updater brings it about on the machine that exists, within the budget.',
    ),
  updater: objectName()
    .optional()
    .describe('Update only: one of updaters. Left out, a step before this one must claim the field.'),
});

const Updater = z.strictObject({
  name: objectName().describe('Name that rules and machines call it by.'),
  runsOn: z
    .enum(['Machine', 'Node'])
    .describe(
      'Machine: the machine step changes what it composes, such as the virtual machine. Node: provider-node runs it on the node. Both tell when it is done.',
    ),
  disruptive: z.boolean().default(true).describe('Whether the node is drained first, and counts as unavailable.'),
  timeout: duration().default('30m').describe('How long it may take before it counts as failed.'),
});

export const InPlaceUpdateInput = z.strictObject({
  ...inputFields('InPlaceUpdateInput'),
  select: z
    .strictObject({
      apiVersion: z.string().min(1).default('slipway.dev/v1alpha1').describe('API version of the composed resources.'),
      kind: z.string().min(1).default('Machine').describe('Kind of the composed resources.'),
    })
    .prefault({})
    .describe('The composed resources this step looks after; they carry the label slipway.dev/slot.'),
  ownership: z
    .enum(['Whole', 'Desired'])
    .default('Whole')
    .describe(
      'Whole: every field of spec is ours, so one that is only observed was taken away. Desired: a field only observed was taken away if Crossplane applied it for us; all others belong to somebody else, such as those a provider fills in late.',
    ),
  rules: z
    .array(Rule)
    .max(200)
    .prefault([])
    .describe('The first rule whose path and condition meet a changed field decides about it.'),
  otherwise: z
    .enum(['Patch', 'Recreate', 'Ignore', 'Update'])
    .default('Recreate')
    .describe(
      'The decision about a field of spec that no rule and no claim meets. Labels and annotations of the object itself are patched.',
    ),
  updaters: z
    .array(Updater)
    .max(64)
    .prefault([])
    .describe('Who can bring changes about on a machine that exists; rules name them.'),
});

export type InPlaceUpdateInput = z.output<typeof InPlaceUpdateInput>;
/** What a rule may decide. */
export type Decision = InPlaceUpdateInput['otherwise'];
export type Rule = InPlaceUpdateInput['rules'][number];
export type Updater = z.output<typeof Updater>;
