/** Route tables: one public for all zones, one private per zone, each with its default route. */
import { LABEL } from '#lib/api/words.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { managed, vpc } from './resource.ts';
import type { ComposedNetwork, Site, Zone } from './site.ts';
import { tagsOf } from './tags.ts';

export function routes(site: Site, { zones }: ComposedNetwork): readonly Entry[] {
  return [
    managed(site, 'RouteTable', 'rt-public', { ...vpc(site), tags: tagsOf(site, 'rt-public', 'public') }),
    managed(site, 'Route', 'route-public', defaultRoute(site, 'rt-public', { gatewayIdRef: ref(site, 'igw') })),
    ...zones.flatMap((zone) => [association(site, 'public', zone, 'rt-public'), ...privateRoutes(site, zone)]),
  ];
}

function privateRoutes(site: Site, zone: Zone): readonly Entry[] {
  const table = `rt-private-${zone.name}`;
  const labels = { [LABEL.failureDomain]: zone.name };
  const gateway = { natGatewayIdRef: ref(site, `nat-${zone.gateway}`) };
  return [
    managed(site, 'RouteTable', table, { ...vpc(site), tags: tagsOf(site, table, 'private') }, { labels }),
    managed(site, 'Route', `route-private-${zone.name}`, defaultRoute(site, table, gateway), { labels }),
    association(site, 'private', zone, table),
  ];
}

function defaultRoute(site: Site, table: string, gateway: JsonObject): JsonObject {
  return { routeTableIdRef: ref(site, table), destinationCidrBlock: '0.0.0.0/0', ...gateway };
}

function association(site: Site, access: 'public' | 'private', { name }: Zone, table: string): Entry {
  const forProvider = { routeTableIdRef: ref(site, table), subnetIdRef: ref(site, `subnet-${access}-${name}`) };
  const labels = { [LABEL.failureDomain]: name };
  return managed(site, 'RouteTableAssociation', `rta-${access}-${name}`, forProvider, { labels });
}
