/** The proxy of a claim, for what a machine fetches before its first-boot data has said anything. */
import type { Machine } from '#lib/api/kinds/machine.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import { quoted } from '#lib/fn/quoted.ts';

export type Proxy = NonNullable<Machine['spec']['provisioning']['proxy']>;

/**
 * Everyone who may describe the machine reads user data, so a proxy with a password is not said there, and neither is
 * one from a Secret.
 */
export function sayableProxy({ spec }: Machine): Proxy | undefined {
  const { proxy } = spec.provisioning;
  if (proxy?.https === undefined || proxy.httpsFrom !== undefined || /^[a-z]+:\/\/[^/]*@/.test(proxy.https))
    return undefined;
  return { https: proxy.https, none: proxy.none };
}

/** Lines of a shell script: curl and Python read these variables, and use them for the API alone. */
export function proxyExports(proxy: Proxy | undefined): string {
  if (proxy === undefined) return '';
  return proxyVariables(proxy, [])
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('');
}
