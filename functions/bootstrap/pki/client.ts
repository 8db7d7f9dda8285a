/** When a client certificate must be renewed. */
import { createPublicKey, X509Certificate } from 'node:crypto';
import { readPrivateKey } from './pem.ts';

/** In milliseconds since 1970. */
export interface Lifetime {
  readonly from: number;
  readonly to: number;
}

/**
 * The lifetime of a client certificate that is signed by the authority and matches its key; otherwise undefined. Throws
 * for invalid certificates and keys.
 */
export function lifetimeOf(pem: string, key: string, authority: string): Lifetime | undefined {
  const client = new X509Certificate(pem);
  if (!client.verify(new X509Certificate(authority).publicKey)) return undefined;
  if (!client.publicKey.equals(createPublicKey(readPrivateKey(key)))) return undefined;
  return { from: client.validFromDate.getTime(), to: client.validToDate.getTime() };
}

/** Whether more than half of it is left. */
export function isFresh(lifetime: Lifetime | undefined, now: Date): boolean {
  return lifetime !== undefined && lifetime.to - now.getTime() > (lifetime.to - lifetime.from) / 2;
}
