/** The place of a machine's first-boot data on GCP, and how to reach it. */
import type { Proxy } from '#lib/cloud/proxy.ts';

export interface Place {
  /** Name of the secret, in the project of the machine. */
  readonly secret: string;
  /** The claim's own proxy, if the machine may say it in metadata. */
  readonly proxy?: Proxy | undefined;
}
