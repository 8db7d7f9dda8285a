/** The id of a cluster in Azure, which is the name of its resource group. It stays as it was when it was created. */
import { CROSSPLANE } from '#lib/api/words.ts';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import { clusterID } from '../names.ts';
import type { Situation } from './situation.ts';

export function clusterIDOf(situation: Situation): string {
  const { previous, observed, composite, input } = situation;
  if (previous.infrastructure?.id !== undefined) return previous.infrastructure.id;
  // A backup may have been restored without the status.
  const known = observed.get('group')?.metadata?.annotations?.[CROSSPLANE.externalName];
  return known ?? clusterID(newClusterID(composite, input.managementCluster));
}
