/** A certificate authority with RSA keys, as Crossplane creates and expects one, and its certificates. */
import { createPrivateKey } from 'node:crypto';
import { type Addresses, type Issued, newIssuer } from '../../support/authority.ts';

/** PEM texts; the key in PKCS#1, the only form Crossplane reads. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Pair {
  issue(commonName: string, addresses: Addresses): Promise<Pair>;
}

export async function newAuthority(commonName: string): Promise<Authority> {
  const issuer = await newIssuer(commonName, 'RSA');
  return { ...asPair(issuer), issue: async (name, addresses) => asPair(await issuer.issue(name, addresses)) };
}

function asPair({ cert, key }: Issued): Pair {
  return { cert, key: createPrivateKey(key).export({ type: 'pkcs1', format: 'pem' }) as string };
}
