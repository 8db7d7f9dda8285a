/** What a machine is called in Azure: as it was created, which is also part of its provider id. */
import { CROSSPLANE } from '#lib/api/words.ts';
import { machineName } from '../names.ts';
import type { Situation } from './situation.ts';

/** Composition resource name of the virtual machine. */
export const INSTANCE = 'instance';

export function nameOf({ machine, observed }: Situation): string {
  const made = observed.get(INSTANCE)?.metadata?.annotations?.[CROSSPLANE.externalName];
  return made === undefined || made === '' ? machineName(machine.metadata.name) : made;
}
