/**
 * The proxy of a host as files: for logins and our script, for systemd and its services, and for two package managers.
 * The last two have their own files, because a program that started earlier runs them.
 */
import type { Proxy } from '#lib/api/fields/host.ts';
import { proxyVariables, systemdEnvironment } from '#lib/api/proxy.ts';

export const ENVIRONMENT_FILE = '/etc/environment';

interface HostFile {
  readonly path: string;
  readonly text: string;
  readonly append: boolean;
}

/** @param cluster what machines of the cluster reach without the proxy */
export function proxyFiles(proxy: Proxy | undefined, cluster: readonly string[]): readonly HostFile[] {
  if (proxy === undefined) return [];
  const variables = proxyVariables(proxy, cluster);
  const { http, https = http } = proxy;
  return [
    // The file may exist in the image, and its last line may have no line end.
    { path: ENVIRONMENT_FILE, text: `\n${variables.map(assignment).join('')}`, append: true },
    {
      path: '/etc/systemd/system.conf.d/90-slipway-proxy.conf',
      text: `[Manager]\nDefaultEnvironment=${systemdEnvironment(variables)}\n`,
      append: false,
    },
    { path: '/etc/apt/apt.conf.d/90-slipway-proxy', text: aptText(proxy), append: false },
    // It supports only one proxy.
    ...(https === undefined ? [] : [{ path: '/etc/dnf/dnf.conf', text: `\nproxy=${https}\n`, append: true }]),
  ];
}

function assignment([name, value]: readonly [string, string]): string {
  return `${name}="${value}"\n`;
}

/** apt supports single hosts, neither blocks nor domains. */
function aptText({ http, https, none }: Proxy): string {
  const lines = Object.entries({ http, https }).flatMap(([scheme, url]) => {
    if (url === undefined) return [];
    const direct = none.filter((host) => /^[A-Za-z0-9-][A-Za-z0-9.-]*$/.test(host));
    return [
      `Acquire::${scheme}::Proxy "${url}";\n`,
      ...direct.map((host) => `Acquire::${scheme}::Proxy::${host} "DIRECT";\n`),
    ];
  });
  return lines.join('');
}
