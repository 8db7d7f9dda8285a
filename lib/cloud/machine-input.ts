/** What every cloud's Composition tells the machine step; a cloud adds a section of its own. */
import { z } from 'zod';
import { own } from '#lib/api/json.ts';
import { inputFields, inputName, providerConfigRef } from '#lib/fn/input.ts';
import { overridesInput } from './overrides-input.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';

const word = () => z.string().min(1).max(256);

export const MACHINE_INPUT = {
  ...inputFields('MachineInput'),
  classes: z
    .record(word(), word())
    .prefault({})
    .describe(
      'Map of neutral sizes in claims to instance types, such as standard-4 to m6i.xlarge. Other sizes are used as they are.',
    ),
  images: z
    .record(word(), z.record(word(), word()))
    .prefault({})
    .describe(
      'Machine images by name and region. A name may include a Kubernetes version, as in ubuntu-24.04/v1.35.4; it takes precedence over the plain name.',
    ),
  defaultImage: word().optional().describe('The image for claims that do not set one.'),
  providerConfigRef: providerConfigRef(),
  overrides: overridesInput(),
};

export type NeutralMachineInput = z.output<z.ZodObject<typeof MACHINE_INPUT>>;

/** How messages call this input, the same as where it is read. */
export const INPUT_NAME = inputName('MachineInput');

/** The instance type that a claim's words come to. */
export function instanceTypeOf(machine: Machine, { classes }: NeutralMachineInput): string {
  const { class: size = '', instanceType } = machine.spec.machine;
  return instanceType ?? own(classes, size) ?? size;
}
