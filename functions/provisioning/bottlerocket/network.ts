/** Host names, time and proxy, each with its field of the claim. */
import type { JsonObject } from '#lib/api/json.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import type { Order } from '../provisioner.ts';

type Settings = readonly (readonly [field: string, settings: JsonObject])[];

export function networkSettings(order: Order<'bottlerocket'>): Settings {
  const { plan, customisation } = order;
  const { ntp, hosts, proxy } = customisation;
  return [
    ['the name of the Machine', { network: { hostname: plan.nodeName } }],
    ...(ntp === undefined ? [] : [['ntp', { ntp: { 'time-servers': ntp.servers } }] as const]),
    ...(hosts.length === 0 ? [] : [['hosts', { network: { hosts: hostEntries(order) } }] as const]),
    ...(proxy === undefined ? [] : [['proxy', { network: proxyOf(order) }] as const]),
  ];
}

function hostEntries({ customisation }: Order<'bottlerocket'>): JsonObject[string] {
  return customisation.hosts.map(({ address, names }) => [address, names]);
}

/** It supports one proxy. */
function proxyOf({ plan, customisation }: Order<'bottlerocket'>): JsonObject {
  const { proxy } = customisation;
  const variables = new Map(proxy === undefined ? [] : proxyVariables(proxy, plan.noProxy ?? []));
  return {
    ...(proxy?.https === undefined ? {} : { 'https-proxy': proxy.https }),
    'no-proxy': (variables.get('NO_PROXY') ?? '').split(','),
  };
}
