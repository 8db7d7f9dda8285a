/** Zones that a cluster may use, of those that its platform and its claim name. */
import { refusal } from '#lib/api/refusal.ts';
import { INPUT_NAME } from './cluster-input.ts';
import type { ClusterSituation } from './infrastructure.ts';
import type { ZoneNames } from './native-names.ts';

/** Throws InvalidInput for zones of another region, or one that is listed twice. @param zones  of the platform */
export function refuseOtherZones(zones: readonly string[], region: string, { isOf, example }: ZoneNames): void {
  const wrong = zones.find((zone, i) => !isOf(zone, region) || zones.indexOf(zone) !== i);
  if (wrong === undefined) return;
  const accepted = `zones of ${region}, each once, such as ${example(region)}`;
  throw refusal(INPUT_NAME, `zones.${region}`, wrong, accepted, 'InvalidInput');
}

/** Throws InvalidClaim for a zone of control-plane machines in which the cluster is not. @param zones  of the cluster */
export function refuseUnknownZones(
  { cluster, owner }: Pick<ClusterSituation, 'cluster' | 'owner'>,
  zones: readonly string[],
): void {
  const asked = cluster.spec.controlPlane.machine.zones ?? [];
  const index = asked.findIndex((zone) => !zones.includes(zone));
  if (index < 0) return;
  throw refusal(owner, `spec.controlPlane.machine.zones[${index}]`, asked[index] ?? '', zones);
}
