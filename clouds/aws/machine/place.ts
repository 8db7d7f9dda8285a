/** Where on AWS a machine's first-boot data waits for it. */

export interface Place {
  readonly region: string;
  /** Host of the Secrets Manager API. */
  readonly host: string;
  /** Name of the secret. */
  readonly secret: string;
}

/** @param region  China's is another partition, with names of its own */
export function hostOf(region: string): string {
  return `secretsmanager.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
