/** What a machine is called in Azure: as it was created, which is also part of its provider id. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Composed } from '#lib/cloud/kept-fields.ts';
import { machineName, sharedMachineName } from '../names.ts';
import type { Situation } from './situation.ts';

/** Composition resource name of the virtual machine. */
export const INSTANCE = 'instance';
export const VM: Composed = { key: INSTANCE, kind: 'LinuxVirtualMachine' };

export function nameOf({ machine, observed }: Situation, { existing, id = '' }: InfrastructureStatus): string {
  const made = observed.get(INSTANCE)?.metadata?.annotations?.[CROSSPLANE.externalName];
  if (made !== undefined && made !== '') return made;
  const { name } = machine.metadata;
  return existing?.resourceGroup === undefined ? machineName(name) : sharedMachineName(name, id);
}
