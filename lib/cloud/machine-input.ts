/** What every cloud's Composition tells the machine step; a cloud adds a section of its own. */
import { z } from 'zod';
import { inputFields, inputName, providerConfigRef } from '#lib/fn/input.ts';
import { type Asked, instanceTypeOf as typeOf } from './asked.ts';
import { CATALOG, environmentConfig } from './catalog.ts';
import { overridesInput } from './overrides-input.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';

export const MACHINE_INPUT = {
  ...inputFields('MachineInput'),
  environmentConfig: environmentConfig(),
  classes: CATALOG.classes,
  images: CATALOG.images,
  defaultImage: CATALOG.defaultImage,
  providerConfigRef: providerConfigRef(),
  overrides: overridesInput(),
};

export type NeutralMachineInput = z.output<z.ZodObject<typeof MACHINE_INPUT>>;

/** How messages call this input, the same as where it is read. */
export const INPUT_NAME = inputName('MachineInput');

/** The instance type that a claim's words come to. */
export function instanceTypeOf({ spec }: Machine, input: Pick<NeutralMachineInput, 'classes'>): string {
  return typeOf(spec.machine, input);
}

/** The words of a Machine. */
export function askedBy({ spec: { machine, version } }: Machine): Asked {
  return { ...machine, version };
}
