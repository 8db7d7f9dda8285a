/** Registry mirrors and proxy of containerd and other services of a host, which read them only from these files. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { FilledRegistry } from '#lib/api/fields/customisation.ts';
import type { Proxy } from '#lib/api/fields/host.ts';
import { proxyVariables, systemdEnvironment } from '#lib/api/proxy.ts';
import { refusal } from '#lib/api/refusal.ts';
import { planFile } from './plan-file.ts';

/** @param folder  the config_path of the containerd that uses them */
export function mirrorFiles(folder: string, registries: readonly FilledRegistry[], owner: string): readonly PlanFile[] {
  refuseDuplicateHosts(registries, owner);
  return registries.flatMap((registry) => filesOf(`${folder}/${registry.host}`, registry));
}

/** @param cluster what machines of the cluster reach without the proxy */
export function proxyDropIns(
  services: readonly string[],
  proxy: Proxy | undefined,
  cluster: readonly string[],
): readonly PlanFile[] {
  if (proxy === undefined) return [];
  const text = `[Service]\nEnvironment=${systemdEnvironment(proxyVariables(proxy, cluster))}\n`;
  return services.map((name) => planFile(`/etc/systemd/system/${name}.service.d/90-slipway-proxy.conf`, text, '0644'));
}

/** Of two entries for one registry, one would be ignored. */
export function refuseDuplicateHosts(registries: readonly FilledRegistry[], owner: string): void {
  const hosts = registries.map(({ host }) => host);
  const index = hosts.findIndex((host, at) => hosts.indexOf(host) !== at);
  if (index === -1) return;
  throw refusal(owner, `spec.provisioning.registries[${index}].host`, hosts[index], 'each registry once');
}

/**
 * hosts.toml of one registry. Without a line for the server itself, containerd tries it last.
 * @param ca path of the CA certificate of its mirrors
 */
export function hostsToml({ mirrors, credentials }: FilledRegistry, ca: string | undefined): string {
  return [...new Set(mirrors)].map((url) => mirror(url, ca, credentials)).join('\n');
}

function filesOf(folder: string, registry: FilledRegistry): readonly PlanFile[] {
  const { caCertificate } = registry;
  const ca = caCertificate === undefined ? undefined : `${folder}/ca.crt`;
  return [
    planFile(`${folder}/hosts.toml`, hostsToml(registry, ca), registry.credentials === undefined ? '0644' : '0600'),
    ...(ca === undefined ? [] : [planFile(ca, caCertificate ?? '', '0644')]),
  ];
}

/** containerd appends /v2 to a path, unless a setting says that the path already contains it. */
function mirror(url: string, ca: string | undefined, credentials: string | undefined): string {
  const lines = [
    `[host."${url}"]`,
    '  capabilities = ["pull", "resolve"]',
    ...(/^https?:\/\/[^/]+\/(.*\/)?v2(\/|$)/.test(url) ? ['  override_path = true'] : []),
    ...(ca === undefined ? [] : [`  ca = "${ca}"`]),
    ...(credentials === undefined
      ? []
      : [`  [host."${url}".header]`, `    Authorization = "Basic ${Buffer.from(credentials).toString('base64')}"`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
