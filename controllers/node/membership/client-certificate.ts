/** A client certificate for a few minutes, signed by an authority whose key is in a Secret. */
import 'reflect-metadata'; // must come before @peculiar/x509, which needs it
import { createPrivateKey, KeyObject } from 'node:crypto';
import { ExtendedKeyUsage, ExtendedKeyUsageExtension, X509Certificate, X509CertificateGenerator } from '@peculiar/x509';

export interface Pair {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/** Milliseconds. Clocks differ, so it is valid from a little before. */
const VALID = { before: 5 * 60_000, after: 30 * 60_000 } as const;
const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/**
 * @param serial  hexadecimal, never the same twice
 * Throws what node:crypto throws for an authority that cannot be read.
 */
export async function issueClient(authority: Pair, commonName: string, now: number, serial: string): Promise<Pair> {
  const { subtle } = globalThis.crypto;
  const keys = await subtle.generateKey(KEY, true, ['sign', 'verify']);
  const signer = createPrivateKey(authority.key);
  const algorithm = algorithmOf(signer);
  const signingKey = await subtle.importKey(
    'pkcs8',
    signer.export({ format: 'der', type: 'pkcs8' }),
    algorithm,
    false,
    ['sign'],
  );
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${commonName}`,
    // The exact bytes of the authority's name: verifiers compare bytes, not text.
    issuer: new X509Certificate(authority.cert).subjectName,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: { name: algorithm.name, hash: 'SHA-256' },
    serialNumber: serial,
    notBefore: new Date(now - VALID.before),
    notAfter: new Date(now + VALID.after),
    extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
  });
  const key = KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' });
  return { cert: certificate.toString('pem'), key: key.toString() };
}

function algorithmOf(key: KeyObject) {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (key.asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  return { name: 'ECDSA', namedCurve: CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'P-256' };
}

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };
