/** The place of a machine's first-boot data on AWS. */

export interface Place {
  readonly region: string;
  /** Host of the Secrets Manager API. */
  readonly host: string;
  /** Name of the secret. */
  readonly secret: string;
}

/** @param region China is another partition with other host names */
export function hostOf(region: string): string {
  return `secretsmanager.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
