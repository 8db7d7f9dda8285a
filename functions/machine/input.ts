/** Input of the machine step: how neutral names map to the cloud, and settings of the platform. */
import type { MachineClouds } from '#lib/cloud/machine.ts';
import { MACHINE_INPUT, type NeutralMachineInput } from '#lib/cloud/machine-input.ts';
import { inputWithClouds } from '#lib/cloud/registry.ts';
import { CLOUDS } from './clouds.ts';

/** With a section for each cloud, which only that cloud reads. */
export function machineInput(clouds: MachineClouds) {
  return inputWithClouds(
    MACHINE_INPUT,
    clouds,
    'The cloud that the machine runs on; a Cluster on another cloud is refused.',
  );
}

export const MachineInput = machineInput(CLOUDS);

export type MachineInput = NeutralMachineInput & { readonly cloud: string };
