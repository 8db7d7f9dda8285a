/**
 * Certificates and keys as PEM, checked when they are read. Messages never quote them. The same ones are read at every
 * call of a cluster and of its machines, and to read them costs more than all else there: results are remembered.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { rememberedByHash } from '#lib/api/remembered.ts';

export interface Pair {
  /** PEM of a certificate or, for the service-account key, of a public key. */
  readonly cert: string;
  /** PEM of the private key. */
  readonly key: string;
}

/** The curves that OpenSSL and WebCrypto both support, by the name in OpenSSL. */
export const WEB_CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

/** Accepted keys: those that all Kubernetes components read, or the only kind that Talos uses for its own API. */
export type KeyKind = 'common' | 'Ed25519';

/** Why a certificate and a key are not a valid authority; undefined if they are. */
export function authorityProblem({ cert, key }: Pair, kind: KeyKind = 'common'): string | undefined {
  return authorityProblemOf(cert, key, kind);
}

/** Certificates and keys: some for each of a thousand clusters. */
const MOST = 10_000;

const authorityProblemOf = rememberedByHash(
  (cert: string, key: string, kind: KeyKind) =>
    certificateProblem(cert) ?? keyProblem(key, new X509Certificate(cert).publicKey, kind),
  MOST,
);

/** Why a certificate is not that of an authority. */
export const certificateProblem = rememberedByHash((cert: string): string | undefined => {
  const certificate = parsed(() => new X509Certificate(cert));
  if (certificate === undefined) return 'tls.crt is not a certificate in PEM';
  return certificate.ca ? undefined : 'tls.crt is not a certificate authority';
}, MOST);

/** Why a certificate and a key are not a valid client certificate. */
export function clientProblem({ cert, key }: Pair): string | undefined {
  return clientProblemOf(cert, key);
}

const clientProblemOf = rememberedByHash((cert: string, key: string): string | undefined => {
  const certificate = parsed(() => new X509Certificate(cert));
  if (certificate === undefined) return 'tls.crt is not a certificate in PEM';
  return keyProblem(key, certificate.publicKey, 'common');
}, MOST);

/** Why a public and a private key do not match; undefined if they do. */
export function keyPairProblem({ cert, key }: Pair): string | undefined {
  return keyPairProblemOf(cert, key);
}

const keyPairProblemOf = rememberedByHash((cert: string, key: string): string | undefined => {
  const publicKey = parsed(() => (cert.includes('PRIVATE') ? undefined : createPublicKey(cert)));
  if (publicKey === undefined) return 'tls.crt is not a public key in PEM';
  return keyProblem(key, publicKey, 'common');
}, MOST);

function keyProblem(key: string, publicKey: KeyObject, kind: KeyKind): string | undefined {
  const privateKey = parsed(() => readPrivateKey(key));
  if (privateKey === undefined) return 'tls.key is not a private key in PEM';
  if (!spki(createPublicKey(privateKey)).equals(spki(publicKey))) return 'tls.key does not belong to tls.crt';
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = privateKey;
  if (kind === 'Ed25519') return type === 'ed25519' ? undefined : 'tls.key is not an Ed25519 key';
  if (type === 'rsa' || (type === 'ec' && Object.hasOwn(WEB_CURVES, details?.namedCurve ?? ''))) return undefined;
  return 'tls.key is neither RSA nor ECDSA on P-256, P-384 or P-521';
}

/** The hash by which kubeadm pins an authority: the SHA-256 of its public key. */
export const caCertHash = rememberedByHash((cert: string) => hashOf(new X509Certificate(cert).publicKey), MOST);

/** The same for a public key in PEM. */
export const publicKeyHash = rememberedByHash((pem: string) => hashOf(createPublicKey(pem)), MOST);

function hashOf(key: KeyObject): string {
  return `sha256:${createHash('sha256').update(spki(key)).digest('hex')}`;
}

/** The PEM label that Talos uses for such a PKCS #8 key; OpenSSL only accepts the standard one. */
const ED25519_LABEL = 'ED25519 PRIVATE KEY';

/** Whether the key of a certificate is RSA; this does not need the private key. */
export const isRsaCertificate = rememberedByHash(
  (cert: string) => parsed(() => new X509Certificate(cert))?.publicKey.asymmetricKeyType === 'rsa',
  MOST,
);

/** Throws if it is not a private key. */
export function readPrivateKey(pem: string): KeyObject {
  return createPrivateKey(pem.replaceAll(ED25519_LABEL, 'PRIVATE KEY'));
}

/** In the traditional encodings, which every Kubernetes component reads; Ed25519 in the encoding of Talos. */
export function privateKeyPem(key: KeyObject): string {
  if (key.asymmetricKeyType === 'ed25519')
    return key.export({ format: 'pem', type: 'pkcs8' }).toString().replaceAll('PRIVATE KEY', ED25519_LABEL);
  return key.export({ format: 'pem', type: key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs1' }).toString();
}

export function publicKeyPem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'spki' }).toString();
}

function spki(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' });
}

function parsed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
