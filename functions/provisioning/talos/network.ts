/** Time, host names and proxy. */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import type { Order } from '../provisioner.ts';
import { type Document, document } from './document.ts';

export function networkDocuments({ plan, customisation }: Order<'talos'>): readonly Document[] {
  const { ntp, hosts, proxy } = customisation;
  const variables = proxy === undefined ? [] : proxyVariables(proxy, plan.noProxy ?? []);
  return [
    ...(ntp === undefined ? [] : [document('TimeSyncConfig', { ntp: { servers: ntp.servers } })]),
    ...namesByAddress(hosts).map(([address, names]) =>
      document('StaticHostConfig', { name: address, hostnames: names }),
    ),
    ...(variables.length === 0 ? [] : [document('EnvironmentConfig', { variables: Object.fromEntries(variables) })]),
  ];
}

/** One document for each address, because the name of a document must be unique. */
function namesByAddress(hosts: Customisation['hosts']): readonly (readonly [string, readonly string[]])[] {
  const byAddress = new Map<string, readonly string[]>();
  for (const { address, names } of hosts)
    byAddress.set(address, [...new Set([...(byAddress.get(address) ?? []), ...names])]);
  return [...byAddress];
}
