/** Registry mirrors, and trusted certificates of the host and of mirrors. */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { credentialsByHost } from '#lib/fn/registry-credentials.ts';
import type { Order } from '../provisioner.ts';
import { type Document, document } from './document.ts';

export function registryDocuments({ customisation, owner }: Order<'talos'>): readonly Document[] {
  const { registries, caCertificates } = customisation;
  return [
    ...registries.map(({ host, mirrors }) =>
      document('RegistryMirrorConfig', { name: host, endpoints: mirrors.map((url) => ({ url })) }),
    ),
    ...[...credentialsByHost(registries, owner)].map(([name, { username, password }]) =>
      document('RegistryAuthConfig', { name, username, password }),
    ),
    ...trustByHost(registries).map(([host, certificates]) =>
      document('RegistryTLSConfig', { name: host, ca: bundle(certificates) }),
    ),
    ...(caCertificates.length === 0
      ? []
      : [document('TrustedRootsConfig', { name: 'slipway', certificates: bundle(caCertificates) })]),
  ];
}

/** A mirror may serve several registries, each with its own CA certificate. */
function trustByHost(registries: Customisation['registries']): readonly (readonly [string, readonly string[]])[] {
  const byHost = new Map<string, readonly string[]>();
  for (const { mirrors, caCertificate } of registries)
    for (const { host } of mirrors.map((url) => new URL(url)))
      if (caCertificate !== undefined) byHost.set(host, [...new Set([...(byHost.get(host) ?? []), caCertificate])]);
  return [...byHost];
}

function bundle(certificates: readonly string[]): string {
  return certificates.map((pem) => `${pem.trim()}\n`).join('');
}
