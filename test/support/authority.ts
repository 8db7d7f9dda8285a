/** A certificate authority for tests, with either type of key, and its certificates, which are valid for two days. */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHMS = {
  ECDSA: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
} as const;
const DAY_MS = 24 * 3600_000;

/** Names that a certificate is valid for, in addition to its common name. */
export interface Addresses {
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
}

export interface Issued {
  /** PEM. */
  readonly cert: string;
  /** PEM, PKCS#8. */
  readonly key: string;
}

export interface Issuer extends Issued {
  issue(commonName: string, addresses: Addresses): Promise<Issued>;
}

export async function newIssuer(commonName: string, kind: keyof typeof ALGORITHMS): Promise<Issuer> {
  const algorithm = ALGORITHMS[kind];
  const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
    webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const keys = await newKeys();
  const shared = {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: algorithm,
  };
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...shared,
    name: `CN=${commonName}`,
    keys,
    serialNumber: '01',
    extensions: [new BasicConstraintsExtension(true)],
  });
  let serial = 1;
  return {
    cert: ca.toString('pem'),
    key: await pkcs8(keys.privateKey),
    async issue(name, { dns = [], ip = [] }) {
      const leaf = await newKeys();
      serial += 1;
      const names = [
        ...dns.map((value) => ({ type: 'dns' as const, value })),
        ...ip.map((value) => ({ type: 'ip' as const, value })),
      ];
      const cert = await X509CertificateGenerator.create({
        ...shared,
        subject: `CN=${name}`,
        issuer: ca.subject,
        publicKey: leaf.publicKey,
        signingKey: keys.privateKey,
        serialNumber: serial.toString(16).padStart(2, '0'),
        extensions: names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)],
      });
      return { cert: cert.toString('pem'), key: await pkcs8(leaf.privateKey) };
    },
  };
}

async function pkcs8(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
