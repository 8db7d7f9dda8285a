/** The place of a machine's first-boot data on Azure, and how to reach it. */
import type { Proxy } from '#lib/cloud/proxy.ts';
import { lastPart, vaultOf } from '../ids.ts';

export interface Place {
  /** Address of the secret, to which the number of a part is added if there are parts. */
  readonly secret: string;
  /** How many secrets it is in, packed; 0: one, as it is. */
  readonly parts: number;
  /** Id of the identity that may read it: a machine may have others. */
  readonly identity: string;
  /** The DNS domain of all vaults; a token is made for it. */
  readonly domain: string;
  /** The claim's own proxy, if the machine may say it in custom data. */
  readonly proxy?: Proxy | undefined;
}

/** @param secrets as the Cluster reports them: the id of a vault, with /secrets/ @param domain of all vaults */
export function addressOf(secrets: string, name: string, domain: string): string {
  return `https://${lastPart(vaultOf(secrets))}.${domain}/secrets/${name}`;
}
