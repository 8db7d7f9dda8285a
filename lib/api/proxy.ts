/** A proxy as the environment variables that programs read. */
import type { Proxy } from './fields/host.ts';

/** Never through a proxy: the host itself, and what a cloud tells its machines there. */
const ALWAYS = ['localhost', '127.0.0.1', '::1', '169.254.169.254', 'metadata.google.internal'];

/**
 * Names and values, each name in capitals and small letters: curl reads http_proxy in small letters alone.
 * @param cluster  what a cluster's machines reach without it
 */
export function proxyVariables(
  { http, https, none }: Proxy,
  cluster: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const pairs: readonly (readonly [string, string])[] = [
    ...(http === undefined ? [] : [['HTTP_PROXY', http] as const]),
    ...(https === undefined ? [] : [['HTTPS_PROXY', https] as const]),
    ['NO_PROXY', [...new Set([...ALWAYS, ...cluster, ...none])].join(',')],
  ];
  return pairs.flatMap(([name, value]) => [[name, value] as const, [name.toLowerCase(), value] as const]);
}

/** Assignments as systemd reads them in Environment= and DefaultEnvironment=, where % begins a specifier. */
export function systemdEnvironment(variables: readonly (readonly [string, string])[]): string {
  return variables.map(([name, value]) => `"${name}=${value.replaceAll('%', '%%')}"`).join(' ');
}
