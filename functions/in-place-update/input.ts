/** What the Composition tells the in-place-update step: which composed resources it looks after, and its rules. */
import { z } from 'zod';
import { duration } from '#lib/api/fields/text.ts';
import { INPUT_API_VERSION } from '#lib/api/words.ts';

const Rule = z.strictObject({
  path: z
    .string()
    .regex(/^(spec|metadata\.labels|metadata\.annotations)(\.[A-Za-z0-9_/-]+|\[\*\]|\["[^"]+"\])*$/, {
      error:
        'is not a field path; accepted: a path below spec, metadata.labels or metadata.annotations, such as spec.labels or spec.taints[*].value',
    })
    .describe('Field the rule is about, with everything below it. [*] stands for any item of a list.'),
  decision: z
    .enum(['Patch', 'Recreate', 'Ignore'])
    .describe(
      'Patch: change it on the object that exists. Recreate: make a new object, then let the old one go. Ignore: what exists keeps its value; only new objects get the new one.',
    ),
});

export const InPlaceUpdateInput = z.strictObject({
  apiVersion: z.literal(INPUT_API_VERSION).describe('Version of this input.'),
  kind: z.literal('InPlaceUpdateInput').describe('Kind of this input.'),
  ttl: duration()
    .optional()
    .describe('How long Crossplane may wait before it asks again. Shorter while work is under way.'),
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
      'Whole: every field of spec is ours, so one that is only observed was taken away. Desired: fields only observed belong to somebody else, such as those a provider fills in late.',
    ),
  rules: z
    .array(Rule)
    .max(200)
    .prefault([])
    .describe('The first rule whose path meets a changed field decides about it.'),
  otherwise: z
    .enum(['Patch', 'Recreate', 'Ignore'])
    .default('Recreate')
    .describe('The decision about a field no rule meets.'),
});

export type InPlaceUpdateInput = z.output<typeof InPlaceUpdateInput>;
export type Decision = InPlaceUpdateInput['otherwise'];
