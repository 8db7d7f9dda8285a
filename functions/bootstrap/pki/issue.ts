/**
 * Makes keys and certificates. Serial numbers and times come from the caller's world; keys come from the
 * operating system's generator, since WebCrypto takes no other – which is why they are made once and kept.
 */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  webcrypto,
  X509Certificate as NodeCertificate,
} from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PublicKey,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { World } from '#lib/fn/world.ts';
import { type Pair, privateKeyPem, publicKeyPem } from './pem.ts';

export type Algorithm = 'ECDSA-P256' | 'RSA-2048';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** A certificate authority for ten years, as kubeadm would make it. */
export async function issueAuthority(world: World, commonName: string, algorithm: Algorithm): Promise<Pair> {
  const { publicKey, privateKey } = newKey(algorithm);
  const cert = await X509CertificateGenerator.create(
    {
      ...(await signing(privateKey)),
      publicKey: await imported(publicKey),
      subject: `CN=${commonName}`,
      issuer: `CN=${commonName}`,
      serialNumber: serial(world),
      notBefore: new Date(world.now.getTime() - HOUR / 12),
      notAfter: new Date(world.now.getTime() + 3650 * DAY),
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(
          KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment | KeyUsageFlags.keyCertSign,
          true,
        ),
        await SubjectKeyIdentifierExtension.create(
          new PublicKey(publicKey.export({ format: 'der', type: 'spki' })),
          false,
          webcrypto,
        ),
      ],
    },
    webcrypto,
  );
  return { cert: cert.toString('pem') + '\n', key: privateKeyPem(privateKey) };
}

/** A bare key pair. RSA whatever the authorities are: some who verify service-account tokens know nothing else. */
export function issueServiceAccountKey(): Pair {
  const { publicKey, privateKey } = newKey('RSA-2048');
  return { cert: publicKeyPem(publicKey), key: privateKeyPem(privateKey) };
}

/** A client certificate for one year, signed by the authority. */
export async function issueClient(
  world: World,
  authority: Pair,
  subject: { readonly name: string; readonly group: string },
): Promise<Pair> {
  const { publicKey, privateKey } = newKey('ECDSA-P256');
  const issuer = new NodeCertificate(authority.cert).subject.split('\n').toReversed().join(',');
  const cert = await X509CertificateGenerator.create(
    {
      ...(await signing(createPrivateKey(authority.key))),
      publicKey: await imported(publicKey),
      subject: `O=${subject.group},CN=${subject.name}`,
      issuer,
      serialNumber: serial(world),
      notBefore: new Date(world.now.getTime() - HOUR / 12),
      notAfter: new Date(world.now.getTime() + 365 * DAY),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      ],
    },
    webcrypto,
  );
  return { cert: cert.toString('pem') + '\n', key: privateKeyPem(privateKey) };
}

function newKey(algorithm: Algorithm): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return algorithm === 'RSA-2048'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

const PARAMETERS = {
  ec: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  rsa: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const;

function parameters(key: KeyObject): (typeof PARAMETERS)['ec' | 'rsa'] {
  return key.asymmetricKeyType === 'ec' ? PARAMETERS.ec : PARAMETERS.rsa;
}

async function signing(
  key: KeyObject,
): Promise<{ signingKey: webcrypto.CryptoKey; signingAlgorithm: (typeof PARAMETERS)['ec' | 'rsa'] }> {
  const algorithm = parameters(key);
  const der = key.export({ format: 'der', type: 'pkcs8' });
  return {
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
  };
}

function imported(key: KeyObject): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('spki', key.export({ format: 'der', type: 'spki' }), parameters(key), true, [
    'verify',
  ]);
}

/** Sixteen bytes; the first below 0x80, or the number would be negative, and not zero. */
function serial({ randomBytes }: World): string {
  const bytes = Buffer.from(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}
