/**
 * Certificates as Crossplane creates them for functions: an authority, and leaf certificates for the server and its
 * client.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newIssuer } from './authority.ts';

export interface Identity {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface Authority {
  /** A leaf certificate for localhost, valid for a server and for a client. */
  issue(name: string): Promise<Identity>;
}

export async function newAuthority(name = 'authority of this test'): Promise<Authority> {
  const issuer = await newIssuer(name, 'ECDSA');
  return {
    async issue(leafName) {
      const { cert, key } = await issuer.issue(leafName, { dns: ['localhost'], ip: ['127.0.0.1'] });
      return { ca: Buffer.from(issuer.cert), cert: Buffer.from(cert), key: Buffer.from(key) };
    },
  };
}

/** Writes an identity as Crossplane mounts it; creates the folder when none is given. */
export function certificateFolder(
  { ca, cert, key }: Identity,
  folder = mkdtempSync(join(tmpdir(), 'slipway-tls-')),
): string {
  writeFileSync(join(folder, 'ca.crt'), ca);
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  return folder;
}
