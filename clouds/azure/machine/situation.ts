/** The input of Azure decisions about a machine. */
import type { MachineSituation } from '#lib/cloud/machine.ts';
import type { NeutralMachineInput } from '#lib/cloud/machine-input.ts';
import type { AzureMachineInput } from './input.ts';

export type Input = NeutralMachineInput & { readonly azure: AzureMachineInput };
export type Situation = MachineSituation<Input>;
