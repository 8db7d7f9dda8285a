/**
 * The proxy of a whole host as files: for who logs in and for our script, for systemd and what it starts, for the two package
 * managers. The last have files of their own, since they are run by a program that was started before anything was written.
 */
import type { Proxy } from '#lib/api/fields/host.ts';
import { proxyVariables, systemdEnvironment } from '#lib/api/proxy.ts';

export const ENVIRONMENT_FILE = '/etc/environment';

interface HostFile {
  readonly path: string;
  readonly text: string;
  readonly append: boolean;
}

/** @param cluster  what the cluster's machines reach without it */
export function proxyFiles(proxy: Proxy | undefined, cluster: readonly string[]): readonly HostFile[] {
  if (proxy === undefined) return [];
  const variables = proxyVariables(proxy, cluster);
  const { http, https = http } = proxy;
  return [
    // An image may have one, and its last line may lack its end.
    { path: ENVIRONMENT_FILE, text: `\n${variables.map(assignment).join('')}`, append: true },
    {
      path: '/etc/systemd/system.conf.d/90-slipway-proxy.conf',
      text: `[Manager]\nDefaultEnvironment=${systemdEnvironment(variables)}\n`,
      append: false,
    },
    { path: '/etc/apt/apt.conf.d/90-slipway-proxy', text: aptText(proxy), append: false },
    // It knows one proxy for everything.
    ...(https === undefined ? [] : [{ path: '/etc/dnf/dnf.conf', text: `\nproxy=${https}\n`, append: true }]),
  ];
}

function assignment([name, value]: readonly [string, string]): string {
  return `${name}="${value}"\n`;
}

/** apt takes single hosts, neither blocks nor domains. */
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
