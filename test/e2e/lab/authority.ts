/** A certificate authority with RSA keys, as Crossplane makes and expects one, and what it issues. */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { createPrivateKey, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const;
const DAY_MS = 24 * 3600_000;

/** PEM texts; the key in PKCS#1, the only form Crossplane reads. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Pair {
  issue(
    commonName: string,
    addresses: { readonly dns?: readonly string[]; readonly ip?: readonly string[] },
  ): Promise<Pair>;
}

export async function newAuthority(commonName: string): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: `CN=${commonName}`,
    keys,
    signingAlgorithm: ALGORITHM,
    serialNumber: '01',
    extensions: [new BasicConstraintsExtension(true)],
  });
  let serial = 1;
  return {
    cert: ca.toString('pem'),
    key: await pkcs1(keys.privateKey),
    async issue(name, { dns = [], ip = [] }) {
      const leaf = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      serial += 1;
      const names = [
        ...dns.map((value) => ({ type: 'dns' as const, value })),
        ...ip.map((value) => ({ type: 'ip' as const, value })),
      ];
      const cert = await X509CertificateGenerator.create({
        ...validity,
        subject: `CN=${name}`,
        issuer: ca.subject,
        publicKey: leaf.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        serialNumber: serial.toString(16).padStart(2, '0'),
        extensions: names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)],
      });
      return { cert: cert.toString('pem'), key: await pkcs1(leaf.privateKey) };
    },
  };
}

async function pkcs1(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
  return createPrivateKey(pkcs8).export({ type: 'pkcs1', format: 'pem' }) as string;
}
