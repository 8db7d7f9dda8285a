/** Registry mirrors, and certificates that the host trusts. */
import type { JsonObject } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { credentialsByHost } from '#lib/fn/registry-credentials.ts';
import type { Order } from '../provisioner.ts';
import { cannotSay } from './limits.ts';

export function trustSettings({
  customisation,
  owner,
}: Order<'bottlerocket'>): readonly (readonly [field: string, settings: JsonObject])[] {
  const { registries, caCertificates } = customisation;
  const hosts = registries.map(({ host }) => host);
  const twice = hosts.findIndex((host, at) => hosts.indexOf(host) !== at);
  if (twice !== -1)
    throw refusal(owner, `spec.provisioning.registries[${twice}].host`, hosts[twice], 'each registry once');
  const own = registries.findIndex(({ caCertificate }) => caCertificate !== undefined);
  if (own !== -1)
    throw cannotSay(owner, `registries[${own}].caCertificate`, 'caCertificates, which the whole host trusts');
  const mirrors = registries.map(({ host, mirrors: endpoint }) => ({ registry: host, endpoint }));
  const credentials = [...credentialsByHost(registries, owner)].map(([registry, one]) => ({ registry, ...one }));
  const secrets = credentials.length === 0 ? {} : { credentials };
  const pki = caCertificates.map((pem, index) => [`slipway-${index}`, { data: encoded(pem), trusted: true }] as const);
  return [
    ...(mirrors.length === 0 ? [] : [['registries', { 'container-registry': { mirrors, ...secrets } }] as const]),
    ...(pki.length === 0 ? [] : [['caCertificates', { pki: Object.fromEntries(pki) }] as const]),
  ];
}

function encoded(pem: string): string {
  return Buffer.from(`${pem.trim()}\n`).toString('base64');
}
