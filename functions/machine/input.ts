/** What the Composition tells the machine step: how neutral words map to the cloud, and a platform's own choices. */
import type { MachineClouds } from '#lib/cloud/machine.ts';
import { MACHINE_INPUT, type NeutralMachineInput } from '#lib/cloud/machine-input.ts';
import { inputWithClouds } from '#lib/cloud/registry.ts';
import { CLOUDS } from './clouds.ts';

/** With a section for each of the clouds, which that cloud alone reads. */
export function machineInput(clouds: MachineClouds) {
  return inputWithClouds(MACHINE_INPUT, clouds, 'The cloud that the machine runs on.');
}

export const MachineInput = machineInput(CLOUDS);

export type MachineInput = NeutralMachineInput & { readonly cloud: string };
