/** The place of a machine's first-boot data on AWS, and how to reach it. */
import type { Machine } from '#lib/api/kinds/machine.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import { quoted } from '#lib/fn/quoted.ts';

export interface Place {
  readonly region: string;
  /** Host of the Secrets Manager API. */
  readonly host: string;
  /** Name of the secret. */
  readonly secret: string;
  /** The claim's own proxy, if the machine may say it in user data. */
  readonly proxy?: Proxy | undefined;
}

type Proxy = NonNullable<Machine['spec']['provisioning']['proxy']>;

/**
 * Everyone who may describe the instance reads user data, so a proxy with a password is not said there, and neither is
 * one from a Secret.
 */
export function sayableProxy({ spec }: Machine): Proxy | undefined {
  const { proxy } = spec.provisioning;
  if (proxy?.https === undefined || proxy.httpsFrom !== undefined || /^[a-z]+:\/\/[^/]*@/.test(proxy.https))
    return undefined;
  return { https: proxy.https, none: proxy.none };
}

/** Lines of a shell script: curl and Python read these variables, and use them for the API alone. */
export function proxyExports({ proxy }: Place): string {
  if (proxy === undefined) return '';
  return proxyVariables(proxy, [])
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('');
}

/** @param region China is another partition with other host names */
export function hostOf(region: string): string {
  return `secretsmanager.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
