/** Certificates and keys as PEM, checked when they are read. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

export interface Pair {
  /** PEM of a certificate or, for the service-account key, of a public key. */
  readonly cert: string;
  /** PEM of the private key. */
  readonly key: string;
}

/** Why a certificate and a key do not make a pair; undefined when they do. Names neither. */
export function pairProblem({ cert, key }: Pair, kind: 'authority' | 'key'): string | undefined {
  const publicPart = parsed(() => (kind === 'authority' ? new X509Certificate(cert).publicKey : createPublicKey(cert)));
  if (publicPart === undefined)
    return kind === 'authority' ? 'tls.crt is not a certificate in PEM' : 'tls.crt is not a public key in PEM';
  const privatePart = parsed(() => createPrivateKey(key));
  if (privatePart === undefined) return 'tls.key is not a private key in PEM';
  return spki(createPublicKey(privatePart)).equals(spki(publicPart)) ? undefined : 'tls.key does not belong to tls.crt';
}

/** kubeadm's way to pin an authority: the SHA-256 of its public key. */
export function caCertHash(cert: string): string {
  return `sha256:${createHash('sha256')
    .update(spki(new X509Certificate(cert).publicKey))
    .digest('hex')}`;
}

/** In the traditional encodings, which everything that ever read Kubernetes keys understands. */
export function privateKeyPem(key: KeyObject): string {
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
