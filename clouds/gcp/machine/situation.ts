/** The input of GCP decisions about a machine. */
import type { MachineSituation } from '#lib/cloud/machine.ts';
import type { NeutralMachineInput } from '#lib/cloud/machine-input.ts';
import type { GcpMachineInput } from './input.ts';

export type Input = NeutralMachineInput & { readonly gcp: GcpMachineInput };
export type Situation = MachineSituation<Input>;
