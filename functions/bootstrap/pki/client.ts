/** When a client certificate must be renewed. */
import { createPublicKey, X509Certificate } from 'node:crypto';
import { type Pair, readPrivateKey } from './pem.ts';

/**
 * Whether it is signed by the authority, matches its key, and has more than half of its lifetime left. Throws for
 * invalid keys.
 */
export function isFreshClient(client: X509Certificate, key: string, authority: Pair, now: Date): boolean {
  if (!client.verify(new X509Certificate(authority.cert).publicKey)) return false;
  if (!client.publicKey.equals(createPublicKey(readPrivateKey(key)))) return false;
  const [from, to] = [client.validFromDate.getTime(), client.validToDate.getTime()];
  return to - now.getTime() > (to - from) / 2;
}
