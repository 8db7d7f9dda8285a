/** The input of AWS decisions about a machine. */
import type { MachineSituation } from '#lib/cloud/machine.ts';
import type { NeutralMachineInput } from '#lib/cloud/machine-input.ts';
import type { AwsMachineInput } from './input.ts';

export type Input = NeutralMachineInput & { readonly aws: AwsMachineInput };
export type Situation = MachineSituation<Input>;
