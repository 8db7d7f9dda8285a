/** Certificates as Crossplane makes them for functions: an authority, and leaves for the server and its client. */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { webcrypto } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface Identity {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface Authority {
  /** A leaf for localhost, good for a server and for a client. */
  issue(name: string): Promise<Identity>;
}

export async function newAuthority(name = 'authority of this test'): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const validity = { notBefore: new Date(Date.now() - 3600_000), notAfter: new Date(Date.now() + 3600_000) };
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    serialNumber: '01',
    extensions: [new BasicConstraintsExtension(true)],
  });
  let serial = 1;
  return {
    async issue(leafName) {
      const leaf = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      serial += 1;
      const cert = await X509CertificateGenerator.create({
        ...validity,
        subject: `CN=${leafName}`,
        issuer: ca.subject,
        publicKey: leaf.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        serialNumber: serial.toString(16).padStart(2, '0'),
        extensions: [
          new SubjectAlternativeNameExtension([
            { type: 'dns', value: 'localhost' },
            { type: 'ip', value: '127.0.0.1' },
          ]),
        ],
      });
      const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey), 'PRIVATE KEY');
      return { ca: Buffer.from(ca.toString('pem')), cert: Buffer.from(cert.toString('pem')), key: Buffer.from(key) };
    },
  };
}

/** Writes an identity as Crossplane mounts it; the folder is made when none is given. */
export function certificateFolder(
  { ca, cert, key }: Identity,
  folder = mkdtempSync(join(tmpdir(), 'slipway-tls-')),
): string {
  writeFileSync(join(folder, 'ca.crt'), ca);
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  return folder;
}
