/** The zones of a pool, judged before its Cluster has failure domains: no machine is placed until then. */
import { NO_ZONE } from '#lib/api/fields/machine-template.ts';
import { withValue } from '#lib/api/issues.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { regionOf } from '#lib/cloud/asked.ts';
import { nativeNamesOf } from '#clouds/native-names.ts';
import type { NodePoolInput } from './input.ts';
import type { PoolSituation } from './situation.ts';
import { isNewPool } from './size.ts';

type Judged = Pick<PoolSituation, 'pool' | 'owner' | 'machines' | 'previous'>;

/**
 * Throws InvalidClaim for a zone that the Cluster will not have or, where that is not known yet, that is no zone of its
 * region; and for a list without zones. The zones of a pool with machines are judged by where these may be.
 */
export function refuseZonesOfPool(
  judged: Judged,
  input: Pick<NodePoolInput, 'cloud' | 'regions'>,
  cluster: Cluster | undefined,
): void {
  const { pool, owner, machines } = judged;
  const { zones = [] } = pool.spec.machine;
  if (pool.spec.machine.zones?.length === 0 && isNewPool(judged))
    throw refusalFor(owner, 'spec.machine.zones', withValue(zones, NO_ZONE));
  if (cluster === undefined || machines.length > 0) return;
  const infrastructure = cluster.status?.infrastructure;
  if (infrastructure?.ready === true) return;
  const refuse = (isKnown: (zone: string) => boolean, accepted: (zone: string) => string | readonly string[]): void => {
    const index = zones.findIndex((zone) => !isKnown(zone));
    const wrong = zones[index];
    if (wrong !== undefined) throw refusal(owner, `spec.machine.zones[${index}]`, wrong, accepted(wrong));
  };
  const known = infrastructure?.zones;
  if (known !== undefined)
    return refuse(
      (zone) => known.includes(zone),
      () => known.toSorted(),
    );
  const names = nativeNamesOf(infrastructure?.cloud ?? input.cloud)?.zone;
  const region = infrastructure?.region ?? regionOf(cluster.spec.region, input);
  if (names !== undefined)
    refuse(
      (zone) => names.isOf(zone, region),
      (zone) => `zones of ${region}, such as ${names.example(region)}${didYouMean(zone, names.usual(region))}`,
    );
}
