/** How a containerd and the services of a host reach the world: mirrors of registries, and a proxy, which they read nowhere else. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Proxy, Registry } from '#lib/api/fields/host.ts';
import { proxyVariables, systemdEnvironment } from '#lib/api/proxy.ts';
import { refusal } from '#lib/api/refusal.ts';
import { planFile } from './plan-file.ts';

/** @param folder  the config_path of the containerd that is to use them */
export function mirrorFiles(folder: string, registries: readonly Registry[], owner: string): readonly PlanFile[] {
  refuseTwice(registries, owner);
  return registries.flatMap((registry) => filesOf(`${folder}/${registry.host}`, registry));
}

/** @param cluster  what the cluster's machines reach without it */
export function proxyDropIns(
  services: readonly string[],
  proxy: Proxy | undefined,
  cluster: readonly string[],
): readonly PlanFile[] {
  if (proxy === undefined) return [];
  const text = `[Service]\nEnvironment=${systemdEnvironment(proxyVariables(proxy, cluster))}\n`;
  return services.map((name) => planFile(`/etc/systemd/system/${name}.service.d/90-slipway-proxy.conf`, text, '0644'));
}

/** Of two entries for one registry one would be lost. */
export function refuseTwice(registries: readonly Registry[], owner: string): void {
  const hosts = registries.map(({ host }) => host);
  const index = hosts.findIndex((host, at) => hosts.indexOf(host) !== at);
  if (index === -1) return;
  throw refusal(owner, `spec.provisioning.registries[${index}].host`, hosts[index], 'each registry once');
}

/**
 * hosts.toml of one registry. Without a line for the server itself containerd asks it last.
 * @param ca  path of the certificate its mirrors are trusted by
 */
export function hostsToml({ mirrors }: Registry, ca: string | undefined): string {
  return [...new Set(mirrors)].map((url) => mirror(url, ca)).join('\n');
}

function filesOf(folder: string, registry: Registry): readonly PlanFile[] {
  const { caCertificate } = registry;
  const ca = caCertificate === undefined ? undefined : `${folder}/ca.crt`;
  return [
    planFile(`${folder}/hosts.toml`, hostsToml(registry, ca), '0644'),
    ...(ca === undefined ? [] : [planFile(ca, caCertificate ?? '', '0644')]),
  ];
}

/** containerd puts /v2 behind a path, unless it is told that the path has it already. */
function mirror(url: string, ca: string | undefined): string {
  const lines = [
    `[host."${url}"]`,
    '  capabilities = ["pull", "resolve"]',
    ...(/^https?:\/\/[^/]+\/(.*\/)?v2(\/|$)/.test(url) ? ['  override_path = true'] : []),
    ...(ca === undefined ? [] : [`  ca = "${ca}"`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
