/** The id of a cluster in GCP, which its names begin with. It stays as it was when the cluster was created. */
import { at, stringAt } from '#lib/api/json.ts';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import { asName } from '../names.ts';
import type { Situation } from './situation.ts';

export function clusterIDOf(situation: Situation): string {
  const { previous, observed, composite, input } = situation;
  if (previous.infrastructure?.id !== undefined) return previous.infrastructure.id;
  // A backup may have been restored without the status.
  const labels = [...observed.values()].map((object) => at(object, 'spec', 'forProvider', 'labels'));
  const known = labels.map((one) => stringAt(one, 'slipway-cluster-id')).find((id) => id !== undefined);
  return known ?? asName(newClusterID(composite, input.managementCluster));
}
