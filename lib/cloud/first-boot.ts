/** First-boot data of a machine, as a cloud hands it over. */
import type { KubeObject } from '#lib/api/json.ts';

export interface FirstBoot {
  readonly secret: KubeObject;
  readonly format: string;
  readonly bytes: Uint8Array;
  /** Whether the machine can also read it gzipped. */
  readonly gzip: boolean;
  /** The same in two parts, where the format has them. */
  readonly apart: Apart | undefined;
  /** Whether a boothook of cloud-init may fetch all of it and leave it at HANDED_OVER_PATH. */
  readonly fetchedWhole: boolean;
  /** Whether it holds secrets that let a machine join. */
  readonly joinSecrets: boolean;
  /** Whether it holds values of Secrets that the claim refers to. */
  readonly claimSecrets: boolean;
}

/** As the contract "payload" says it, decoded. */
export interface Apart {
  readonly open: Uint8Array;
  readonly sealed: Uint8Array;
  /** The systemd unit that waits for what is sealed. */
  readonly before: string;
}

/** Name of a Machine's payload Secret. */
export function payloadName(machine: string): string {
  return `${machine}-payload`;
}
