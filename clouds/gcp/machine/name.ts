/** What a machine is called in GCP: as it was created, which is also part of its provider id. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Composed } from '#lib/cloud/kept-fields.ts';
import { instanceName } from '../names.ts';
import type { Situation } from './situation.ts';

/** Composition resource name of the virtual machine. */
export const INSTANCE = 'instance';
export const VM: Composed = { key: INSTANCE, kind: 'Instance' };

export function nameOf({ machine, observed }: Situation, { id }: InfrastructureStatus): string {
  const made = observed.get(INSTANCE)?.metadata?.annotations?.[CROSSPLANE.externalName];
  if (made !== undefined && made !== '') return made;
  const { clusterRef } = machine.spec;
  return instanceName(id ?? clusterRef.name, clusterRef.name, machine.metadata.name);
}
