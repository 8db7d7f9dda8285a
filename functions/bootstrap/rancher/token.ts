/**
 * Tokens of k3s and RKE2. The full form names the authority by its hash, so that a joiner knows whom it talks to before it says
 * the password.
 */
import { X509Certificate } from 'node:crypto';
import { sha256 } from '#lib/api/names.ts';

/** No dot and no colon: with one it could be read as a token of another kind. */
export const PASSWORD = /^[0-9A-Za-z]{16,128}$/;

/** @param user  server may join as either; node only as an agent. @param ca PEM of the authority servers are signed by */
export function fullToken(user: 'server' | 'node', password: string, ca: string): string {
  return `K10${authorityHash(ca)}::${user}:${password}`;
}

/** Of one certificate the hash of its text as it is; of a bundle that of the root's DER. */
export function authorityHash(ca: string): string {
  const [first, ...others] = (ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
  const root = first === undefined ? undefined : rootOf(first, others);
  return sha256(root === undefined ? ca : root.raw);
}

/** Up the chain; undefined when it ends before a root. */
function rootOf(certificate: X509Certificate, others: readonly X509Certificate[]): X509Certificate | undefined {
  const issuer = others.find((other) => certificate.checkIssued(other) && certificate.verify(other.publicKey));
  if (issuer === undefined || issuer.checkIssued(issuer)) return issuer;
  return rootOf(
    issuer,
    others.filter((other) => other !== issuer),
  );
}
