import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, type X509Certificate, X509CertificateGenerator } from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '#lib/api/names.ts';
import { authorityHash, fullToken, PASSWORD } from './token.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

interface Authority {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

async function authority(name: string, issuer?: Authority): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return { certificate, keys };
}

describe('the hash of an authority', () => {
  const pem = ({ certificate }: Authority) => `${certificate.toString('pem')}\n`;
  const der = ({ certificate }: Authority) => new Uint8Array(certificate.rawData);
  let root: Authority, middle: Authority, server: Authority, stranger: Authority;

  beforeAll(async () => {
    root = await authority('root');
    middle = await authority('middle', root);
    server = await authority('server', middle);
    stranger = await authority('stranger');
  });

  test('hashes the text of a single certificate, so another line ending gives another hash', () => {
    expect(authorityHash(pem(root))).toBe(sha256(pem(root)));
    expect(authorityHash(pem(root))).not.toBe(authorityHash(pem(root).trim()));
  });

  test('hashes the root of a bundle, in whatever order the others come', () => {
    const want = sha256(der(root));
    expect(authorityHash(pem(server) + pem(middle) + pem(root))).toBe(want);
    expect(authorityHash(pem(server) + pem(root) + pem(stranger) + pem(middle))).toBe(want);
  });

  test('hashes the text of a bundle that has no root', () => {
    const bundle = pem(server) + pem(middle);
    expect(authorityHash(bundle)).toBe(sha256(bundle));
    expect(authorityHash(pem(server) + pem(stranger))).toBe(sha256(pem(server) + pem(stranger)));
  });

  test('comes before the user and the password', () => {
    const password = 'fake'.repeat(8);
    expect(fullToken('node', password, pem(root))).toBe(`K10${sha256(pem(root))}::node:${password}`);
  });
});

test.for([
  ['0123456789abcdef0123456789abcdef', true],
  ['ABCdef0123456789', true],
  ['0123456789abcde', false],
  ['abcdef.0123456789abcdef', false],
  ['0123456789abcdef:0', false],
] as const)('%s is valid as a password: %s', ([text, can]) => {
  expect(PASSWORD.test(text)).toBe(can);
});
