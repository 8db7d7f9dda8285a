/** A certificate authority for tests, with either type of key, and its certificates, which are valid for two days. */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { createPrivateKey, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
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
  const signingAlgorithm = ALGORITHMS[kind];
  const keys = await newKeys(kind);
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    signingAlgorithm,
    name: `CN=${commonName}`,
    keys,
    serialNumber: '01',
    extensions: [new BasicConstraintsExtension(true)],
  });
  return issuer(ca, keys.privateKey, kind);
}

/** An authority that exists, with a key of RSA or of ECDSA on P-256. */
export async function issuerFrom({ cert, key }: Issued): Promise<Issuer> {
  const privateKey = createPrivateKey(key);
  const kind = privateKey.asymmetricKeyType === 'rsa' ? 'RSA' : 'ECDSA';
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const signing = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHMS[kind], true, ['sign']);
  return issuer(new X509Certificate(cert), signing, kind);
}

async function issuer(
  ca: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  kind: keyof typeof ALGORITHMS,
): Promise<Issuer> {
  let serial = 1;
  return {
    cert: ca.toString('pem'),
    key: await pkcs8(signingKey),
    async issue(name, { dns = [], ip = [] }) {
      const leaf = await newKeys(kind);
      serial += 1;
      const names = [
        ...dns.map((value) => ({ type: 'dns' as const, value })),
        ...ip.map((value) => ({ type: 'ip' as const, value })),
      ];
      const cert = await X509CertificateGenerator.create({
        ...validity(),
        signingAlgorithm: ALGORITHMS[kind],
        subject: `CN=${name}`,
        issuer: ca.subject,
        publicKey: leaf.publicKey,
        signingKey,
        serialNumber: serial.toString(16).padStart(2, '0'),
        extensions: names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)],
      });
      return { cert: cert.toString('pem'), key: await pkcs8(leaf.privateKey) };
    },
  };
}

function newKeys(kind: keyof typeof ALGORITHMS): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHMS[kind], true, ['sign', 'verify']);
}

function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
}

async function pkcs8(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
