/** Registry mirrors, and certificates that the host trusts. */
import type { JsonObject } from '#lib/api/json.ts';
import { credentialsByHost } from '#lib/fn/registry-credentials.ts';
import type { Order } from '../provisioner.ts';

export function trustSettings({
  customisation,
  owner,
}: Order<'bottlerocket'>): readonly (readonly [field: string, settings: JsonObject])[] {
  const { registries, caCertificates } = customisation;
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
