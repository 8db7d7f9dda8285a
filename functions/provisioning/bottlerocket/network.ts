/** Host names, time and proxy, each with its field of the claim. */
import type { JsonObject } from '#lib/api/json.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import type { Order } from '../provisioner.ts';
import { cannotSay } from './limits.ts';

const HOST_NAME = /^[a-z0-9][a-z0-9-]{0,62}(\.[a-z0-9][a-z0-9-]{0,62})*$/;

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

function hostEntries({ customisation, owner }: Order<'bottlerocket'>): JsonObject[string] {
  return customisation.hosts.map(({ address, names }, index) => {
    const wrong = names.findIndex((name) => !HOST_NAME.test(name));
    if (wrong !== -1)
      throw cannotSay(
        owner,
        `hosts[${index}].names[${wrong}]`,
        'lower-case letters, digits, - and ., without empty labels',
      );
    return [address, names];
  });
}

/** It supports one proxy. */
function proxyOf({ plan, customisation, owner }: Order<'bottlerocket'>): JsonObject {
  const { proxy } = customisation;
  if (proxy?.http !== undefined) throw cannotSay(owner, 'proxy.http', 'proxy.https alone');
  const variables = new Map(proxy === undefined ? [] : proxyVariables(proxy, plan.noProxy ?? []));
  return {
    ...(proxy?.https === undefined ? {} : { 'https-proxy': proxy.https }),
    'no-proxy': (variables.get('NO_PROXY') ?? '').split(','),
  };
}
