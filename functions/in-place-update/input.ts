/** Input of the in-place-update step: which composed resources it manages, and its rules. */
import { z } from 'zod';
import { fieldPath } from '#lib/api/fields/field-path.ts';
import { duration, objectName } from '#lib/api/fields/text.ts';
import { inputFields } from '#lib/fn/input.ts';

const Rule = z.strictObject({
  path: fieldPath().describe(
    'Field that the rule applies to, including everything below it. [*] matches any item of a list.',
  ),
  when: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe(
      'CEL condition that must hold for the rule to match a change. Variables: old and new are the values at path (null if there is none), resource is the existing object, desired the desired object, composite the XR.',
    ),
  decision: z
    .enum(['Patch', 'Recreate', 'Ignore', 'Update'])
    .describe(
      'Patch: change the existing object. Recreate: create a new object, then delete the old one. Ignore: existing objects keep their value; only new objects get the new one. Update: an updater changes the existing machine, within the update budget.',
    ),
  updater: objectName()
    .optional()
    .describe(
      'Only with Update: the name of one of updaters. If not set, an earlier pipeline step must claim the field.',
    ),
});

const Updater = z.strictObject({
  name: objectName().describe('Name used in rules and Machines.'),
  runsOn: z
    .enum(['Machine', 'Node'])
    .describe(
      'Machine: the machine step changes the resources it composes, such as the virtual machine. Node: provider-node runs a script on the node. Both report when it is done.',
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
    .describe('The composed resources that this step manages; they have the label slipway.dev/slot.'),
  ownership: z
    .enum(['Whole', 'Desired'])
    .default('Whole')
    .describe(
      'Which observed fields count as removed if they are not desired. Whole: every field of spec. Desired: only fields that Crossplane applied; all others belong to other field managers, such as fields that a provider fills in.',
    ),
  rules: z
    .array(Rule)
    .max(200)
    .prefault([])
    .describe('The first rule whose path and condition match a changed field decides what happens.'),
  otherwise: z
    .enum(['Patch', 'Recreate', 'Ignore', 'Update'])
    .default('Recreate')
    .describe(
      'The decision for fields of spec that no rule and no claim matches. Labels and annotations of the object itself are patched.',
    ),
  updaters: z
    .array(Updater)
    .max(64)
    .prefault([])
    .describe('What can update an existing machine in place; rules refer to updaters by name.'),
});

export type InPlaceUpdateInput = z.output<typeof InPlaceUpdateInput>;
/** What a rule may decide. */
export type Decision = InPlaceUpdateInput['otherwise'];
export type Rule = InPlaceUpdateInput['rules'][number];
export type Updater = z.output<typeof Updater>;
