/** Zones and sizes that --fail names: which ones a cluster has is known once its network exists, early in a simulation. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { nativeNamesOf } from '#clouds/native-names.ts';
import type { Engine, Faults } from '#simulator/engine.ts';
import { UsageError } from '../exit.ts';

/**
 * Ends the simulation with a UsageError for a zone of the faults that no Cluster has, or an instance type that its cloud
 * has not, once every Cluster has its zones.
 * @param clusters  how many there will be
 */
export function refuseFaultsElsewhere(engine: Engine, { noCapacity = [] }: Faults, clusters: number): void {
  if (noCapacity.length === 0) return;
  engine.subscribe((happening) => {
    if (happening.type !== 'condition' || happening.condition.type !== 'InfrastructureReady') return;
    // Not here: nobody catches what a listener throws.
    engine.at(engine.seconds, judge);
  });

  function judge(): void {
    const all = engine.list({ apiVersion: API_VERSION, kind: 'Cluster' });
    const haveZones = all.every((cluster) => conditionOf(cluster, 'InfrastructureReady')?.status === 'True');
    if (all.length < clusters || !haveZones) return;
    const zones = [...new Set(all.flatMap(zonesOf))].toSorted();
    const unknown = noCapacity.find(({ zone }) => !zones.includes(zone));
    if (unknown !== undefined)
      throw new UsageError(
        `cannot accept --fail "no-capacity=${unknown.zone}": no cluster has this zone; accepted: ${oneOf(unknown.zone, zones)}`,
      );
    for (const { zone, size } of noCapacity) refuseSize(zone, size, all);
  }
}

/** Throws for an instance type that no cloud of the zone has: no machine would ever lack it. */
function refuseSize(zone: string, size: string | undefined, clusters: readonly unknown[]): void {
  if (size === undefined) return;
  const there = clusters.filter((cluster) => zonesOf(cluster).includes(zone));
  const names = there.map((cluster) => nativeNamesOf(stringAt(cluster, 'status', 'infrastructure', 'cloud')));
  // Of a cloud that is not known, every name is taken as it is.
  if (names.some((one) => one === undefined || one.instanceType.pattern.test(size))) return;
  const accepted = [...new Set(names.map((one) => one?.instanceType.accepted))].join(', or ');
  throw new UsageError(`cannot accept --fail "no-capacity=${zone}/${size}": accepted: ${accepted}`);
}

function zonesOf(cluster: unknown): readonly string[] {
  const domains = at(cluster, 'status', 'infrastructure', 'failureDomains');
  return Array.isArray(domains) ? domains.flatMap((domain) => stringAt(domain, 'name') ?? []) : [];
}
