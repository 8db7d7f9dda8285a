/** Values that Bottlerocket cannot express. Fields that it cannot express at all are in its traits. */
import type { SlipwayError } from '#lib/api/errors.ts';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusal } from '#lib/api/refusal.ts';
import { cannotExpress } from '#lib/cloud/expressible.ts';

const HOST_NAME = /^[a-z0-9][a-z0-9-]{0,62}(\.[a-z0-9][a-z0-9-]{0,62})*$/;

/** Words with dots between them, each of a bootconfig key. */
const KEY = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

type Judged = Pick<Claimed, 'hosts' | 'proxy' | 'kernelArguments' | 'registries'>;

/** Throws InvalidClaim or Unsupported for the first value at fault. */
export function refuseOnBottlerocket({ hosts, proxy, kernelArguments, registries }: Judged, owner: string): void {
  for (const [i, { names }] of hosts.entries())
    for (const [at, name] of names.entries())
      if (!HOST_NAME.test(name))
        throw cannotSay(owner, `hosts[${i}].names[${at}]`, 'lower-case letters, digits, - and ., without empty labels');
  // It supports one proxy.
  if (proxy?.http !== undefined || proxy?.httpFrom !== undefined)
    throw cannotSay(owner, proxy.http === undefined ? 'proxy.httpFrom' : 'proxy.http', 'proxy.https alone');
  refuseArguments(kernelArguments, owner);
  const registered = registries.map(({ host }) => host);
  const twice = registered.findIndex((host, at) => registered.indexOf(host) !== at);
  if (twice !== -1)
    throw refusal(owner, `spec.provisioning.registries[${twice}].host`, registered[twice], 'each registry once');
  const own = registries.findIndex(({ caCertificate }) => caCertificate !== undefined);
  if (own !== -1)
    throw cannotSay(owner, `registries[${own}].caCertificate`, 'caCertificates, which the whole host trusts');
}

/** Values of one name are grouped, so arguments between them would lose their position. */
function refuseArguments(kernelArguments: Judged['kernelArguments'], owner: string): void {
  const seen = new Set<string>();
  let last = '';
  for (const [index, argument] of kernelArguments.entries()) {
    const [key = ''] = argument.split('=');
    const field = `kernelArguments[${index}]`;
    if (!KEY.test(key)) throw cannotSay(owner, field, 'names of letters, digits, ., _ and -');
    if (seen.has(key) && key !== last) throw cannotSay(owner, field, 'arguments of one name next to each other');
    seen.add(key);
    last = key;
  }
}

function cannotSay(owner: string, field: string, instead: string): SlipwayError {
  return cannotExpress('bottlerocket', owner, `spec.provisioning.${field}`, instead);
}
