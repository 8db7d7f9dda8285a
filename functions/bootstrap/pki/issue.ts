/**
 * Creates keys and certificates. Serial numbers and times are arguments; keys come from WebCrypto, which accepts no
 * random bytes and should not be replaced by a hand-written generator. So no key can be created twice, and the caller
 * must store it.
 */
import { KeyObject, webcrypto } from 'node:crypto';
import type { X509CertificateCreateWithKeyParams } from '@peculiar/x509';
import type { World } from '#lib/fn/world.ts';
import { type Pair, privateKeyPem, publicKeyPem, readPrivateKey, WEB_CURVES } from './pem.ts';

export type Algorithm = keyof typeof GENERATION;

/** Key algorithm and validity of an authority. */
export interface Terms {
  readonly algorithm: Algorithm;
  /** Validity in seconds; default: `AUTHORITY_SECONDS`. */
  readonly validity?: number | undefined;
}

type CryptoKeyPair = webcrypto.CryptoKeyPair;

const MINUTE = 60_000;
const DAY_SECONDS = 24 * 60 * 60;

/** Default validity of an authority: ten years. */
export const AUTHORITY_SECONDS = 3650 * DAY_SECONDS;

/** Clocks of machines differ, so a certificate is valid from a little before it was issued. */
const BACKDATED = 5 * MINUTE;

const GENERATION = {
  'ECDSA-P256': { name: 'ECDSA', namedCurve: 'P-256' },
  'ECDSA-P384': { name: 'ECDSA', namedCurve: 'P-384' },
  'RSA-2048': rsa(2048),
  'RSA-3072': rsa(3072),
  'RSA-4096': rsa(4096),
  Ed25519: { name: 'Ed25519' },
} as const;

function rsa(modulusLength: number) {
  return { name: 'RSASSA-PKCS1-v1_5', modulusLength, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
}

/** Loaded when the first certificate is issued, because most processes issue none for months. */
async function x509() {
  await import('reflect-metadata'); // must come before @peculiar/x509, which needs it
  return import('@peculiar/x509');
}

type X509 = Awaited<ReturnType<typeof x509>>;

/** An Ed25519 key can only sign (RFC 8410). */
function usages({ KeyUsageFlags }: X509, algorithm: Algorithm): number {
  const signs = KeyUsageFlags.digitalSignature;
  return algorithm === 'Ed25519' ? signs : signs | KeyUsageFlags.keyEncipherment;
}

/** A certificate authority that only signs leaf certificates. */
export async function issueAuthority(world: World, commonName: string, terms: Terms): Promise<Pair> {
  const { algorithm, validity = AUTHORITY_SECONDS } = terms;
  const library = await x509();
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, SubjectKeyIdentifierExtension } = library;
  const keys = await newKeys(algorithm);
  const subject = `CN=${commonName}`;
  return issue(world, keys, {
    subject,
    issuer: subject,
    signingKey: keys.privateKey,
    notAfter: new Date(world.now.getTime() + validity * 1000),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(usages(library, algorithm) | KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
    ],
  });
}

/**
 * A key pair without a certificate. Always RSA, and as long as the keys of the authorities: some verifiers of
 * service-account tokens support nothing else.
 */
export async function issueServiceAccountKey(algorithm: Algorithm): Promise<Pair> {
  const { publicKey, privateKey } = await newKeys(algorithm.startsWith('RSA') ? algorithm : 'RSA-2048');
  return { cert: publicKeyPem(KeyObject.from(publicKey)), key: privateKeyPem(KeyObject.from(privateKey)) };
}

/** Who a client certificate is for. */
export interface Subject {
  readonly name: string;
  /** None: its rights are those that the cluster binds to the name. */
  readonly group?: string;
}

/** A client certificate for one year, signed by the authority. */
export async function issueClient(
  world: World,
  authority: Pair,
  subject: Subject,
  algorithm: Algorithm = 'ECDSA-P256',
): Promise<Pair> {
  const library = await x509();
  return issue(world, await newKeys(algorithm), {
    subject: [...(subject.group === undefined ? [] : [{ O: [subject.group] }]), { CN: [subject.name] }],
    // The exact bytes of the authority's name: verifiers compare bytes, not text.
    issuer: new library.X509Certificate(authority.cert).subjectName,
    signingKey: await signingKey(authority),
    notAfter: new Date(world.now.getTime() + 365 * DAY_SECONDS * 1000),
    extensions: [
      new library.BasicConstraintsExtension(false, undefined, true),
      new library.KeyUsagesExtension(usages(library, algorithm), true),
      new library.ExtendedKeyUsageExtension([library.ExtendedKeyUsage.clientAuth]),
    ],
  });
}

type Wanted = Pick<X509CertificateCreateWithKeyParams, 'subject' | 'issuer' | 'notAfter' | 'extensions' | 'signingKey'>;

async function issue(world: World, { publicKey, privateKey }: CryptoKeyPair, wanted: Wanted): Promise<Pair> {
  const { X509CertificateGenerator } = await x509();
  const certificate = await X509CertificateGenerator.create(
    {
      ...wanted,
      publicKey,
      serialNumber: serial(world),
      notBefore: new Date(world.now.getTime() - BACKDATED),
      signingAlgorithm: { name: wanted.signingKey.algorithm.name, hash: 'SHA-256' },
    },
    webcrypto,
  );
  return { cert: `${certificate.toString('pem')}\n`, key: privateKeyPem(KeyObject.from(privateKey)) };
}

async function newKeys(algorithm: Algorithm): Promise<CryptoKeyPair> {
  // Every algorithm here has a key pair; the types only know that for RSA and ECDSA.
  return (await webcrypto.subtle.generateKey(GENERATION[algorithm], true, ['sign', 'verify'])) as CryptoKeyPair;
}

/** The key of an authority that pem.ts accepted: RSA, ECDSA on a curve that WebCrypto supports, or Ed25519. */
function signingKey({ key }: Pair): Promise<webcrypto.CryptoKey> {
  const parsed = readPrivateKey(key);
  return webcrypto.subtle.importKey(
    'pkcs8',
    parsed.export({ format: 'der', type: 'pkcs8' }),
    webNameOf(parsed),
    false,
    ['sign'],
  );
}

function webNameOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  const curve = details?.namedCurve;
  if (type === 'ed25519') return { name: 'Ed25519' };
  if (curve === undefined) return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  return { name: 'ECDSA', namedCurve: WEB_CURVES[curve] ?? curve };
}

/** Sixteen bytes, the first neither zero nor above 0x7f: a positive number of always the same length. */
function serial({ randomBytes }: World): string {
  const bytes = Buffer.from(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}
