/**
 * Tokens of k3s and RKE2. The full form contains the hash of the authority, so that a joining machine verifies the
 * server before it sends the password.
 */
import { X509Certificate } from 'node:crypto';
import { sha256 } from '#lib/api/names.ts';

/** No dot and no colon, which would make it a token of another kind. */
export const PASSWORD = /^[0-9A-Za-z]{16,128}$/;

/**
 * @param user server may join as either; node only as an agent.
 * @param ca PEM of the authority that signs server certificates
 */
export function fullToken(user: 'server' | 'node', password: string, ca: string): string {
  return `K10${authorityHash(ca)}::${user}:${password}`;
}

/** For a single certificate the hash of its text; for a bundle the hash of the DER of the root. */
export function authorityHash(ca: string): string {
  const [first, ...others] = (ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
  const root = first === undefined ? undefined : rootOf(first, others);
  return sha256(root === undefined ? ca : root.raw);
}

/** The root of the chain; undefined if the chain has none. */
function rootOf(certificate: X509Certificate, others: readonly X509Certificate[]): X509Certificate | undefined {
  const issuer = others.find((other) => certificate.checkIssued(other) && certificate.verify(other.publicKey));
  if (issuer === undefined || issuer.checkIssued(issuer)) return issuer;
  return rootOf(
    issuer,
    others.filter((other) => other !== issuer),
  );
}
