/** The place of a machine's first-boot data on AWS, and how to reach it. */
import type { Proxy } from '#lib/cloud/proxy.ts';

export interface Place {
  readonly region: string;
  /** Host of the Secrets Manager API. */
  readonly host: string;
  /** Name of the secret. */
  readonly secret: string;
  /** The claim's own proxy, if the machine may say it in user data. */
  readonly proxy?: Proxy | undefined;
}

/** @param region China is another partition with other host names */
export function hostOf(region: string): string {
  return `secretsmanager.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
