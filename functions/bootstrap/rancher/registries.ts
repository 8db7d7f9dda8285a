/** Mirrors of image registries: registries.yaml, and the certificates it names. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Registry } from '#lib/api/fields/host.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { yamlText } from '#lib/api/yaml.ts';
import { credentialsByHost } from '#lib/fn/registry-credentials.ts';
import { planFile } from '../plan-file.ts';
import { refuseDuplicateHosts } from '../runtime-files.ts';

/**
 * @param folder of config.yaml. Throws InvalidClaim for a duplicate registry, and for a mirror with two certificates.
 */
export function registryFiles({ spec }: Machine, folder: string, owner: string): readonly PlanFile[] {
  const { registries } = spec.provisioning;
  if (registries.length === 0) return [];
  refuseDuplicateHosts(registries, owner);
  const trusted = trustedHosts(registries, owner);
  const credentials = credentialsByHost(registries, owner);
  const path = (index: number) => `${folder}/registry-${index}.crt`;
  const configs = [...new Set([...trusted.keys(), ...credentials.keys()])].map((host) => {
    const certificate = trusted.get(host);
    const auth = credentials.get(host);
    const tls = certificate === undefined ? {} : { tls: { ca_file: path(certificate) } };
    return [host, { ...tls, ...(auth === undefined ? {} : { auth }) }] as const;
  });
  const document = {
    mirrors: Object.fromEntries(registries.map(({ host, mirrors }) => [host, { endpoint: mirrors }])),
    ...(configs.length === 0 ? {} : { configs: Object.fromEntries(configs) }),
  };
  return [
    // It may contain a password.
    planFile(`${folder}/registries.yaml`, yamlText(document), '0600'),
    ...registries.flatMap(({ caCertificate }, index) =>
      caCertificate === undefined ? [] : [planFile(path(index), caCertificate, '0644')],
    ),
  ];
}

/** Hosts of mirrors, each with the index of the registry whose certificate they use. */
function trustedHosts(registries: readonly Registry[], owner: string): ReadonlyMap<string, number> {
  const trusted = new Map<string, number>();
  for (const [index, { mirrors, caCertificate }] of registries.entries()) {
    if (caCertificate === undefined) continue;
    for (const host of mirrors.map((mirror) => new URL(mirror).host)) {
      const other = trusted.get(host);
      if (other !== undefined && registries[other]?.caCertificate !== caCertificate)
        throw refusalFor(
          owner,
          `spec.provisioning.registries[${index}].caCertificate`,
          `mirror "${host}" has a different certificate in registries[${other}]; accepted: one certificate for each mirror`,
        );
      trusted.set(host, index);
    }
  }
  return trusted;
}
