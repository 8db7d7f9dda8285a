import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  webcrypto,
  X509Certificate as NodeCertificate,
} from 'node:crypto';
import { BasicConstraintsExtension, Name, X509Certificate, X509CertificateGenerator } from '@peculiar/x509';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { aWorld } from '../../../test/support/request.ts';
import { type Algorithm, issueAuthority, issueClient, issueServiceAccountKey } from './issue.ts';
import { type Authorities, isGood, newKubeconfig } from './kubeconfig.ts';
import { authorityProblem, caCertHash, keyPairProblem, type Pair } from './pem.ts';
import { BOOTSTRAP_TOKEN } from './token.ts';

const NOW = '2026-01-01T00:00:00Z';
const DAY = 24 * 3600_000;
const later = (days: number): Date => new Date(Date.parse(NOW) + days * DAY);
const ENDPOINT = { host: 'api.example.com', port: 6443 };

/** A supplied authority: its name has several parts, and text that ASN.1 can encode in several ways. */
async function aForeignAuthority(namedCurve: string): Promise<Pair> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  const algorithm = { name: 'ECDSA', namedCurve };
  const name = new Name([
    { O: [{ utf8String: 'Acme, "Inc."' }] },
    { OU: ['ops'] },
    { CN: [{ utf8String: 'Acme Root' }] },
  ]);
  const certificate = await X509CertificateGenerator.create(
    {
      subject: name,
      issuer: name,
      serialNumber: '01',
      notBefore: later(-1),
      notAfter: later(1000),
      publicKey: await webcrypto.subtle.importKey(
        'spki',
        publicKey.export({ format: 'der', type: 'spki' }),
        algorithm,
        true,
        ['verify'],
      ),
      signingKey: await webcrypto.subtle.importKey(
        'pkcs8',
        privateKey.export({ format: 'der', type: 'pkcs8' }),
        algorithm,
        true,
        ['sign'],
      ),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-384' },
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    },
    webcrypto,
  );
  return { cert: certificate.toString('pem'), key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
}

/** The type of a key, and its curve or length. */
function sortOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): readonly unknown[] {
  return [type, details?.namedCurve ?? details?.modulusLength].filter((part) => part !== undefined);
}

describe('certificate authorities', () => {
  test.for([
    { algorithm: 'ECDSA-P256', key: ['ec', 'prime256v1'], begins: '-----BEGIN EC PRIVATE KEY-----', kind: 'common' },
    { algorithm: 'ECDSA-P384', key: ['ec', 'secp384r1'], begins: '-----BEGIN EC PRIVATE KEY-----', kind: 'common' },
    { algorithm: 'RSA-2048', key: ['rsa', 2048], begins: '-----BEGIN RSA PRIVATE KEY-----', kind: 'common' },
    { algorithm: 'RSA-3072', key: ['rsa', 3072], begins: '-----BEGIN RSA PRIVATE KEY-----', kind: 'common' },
    { algorithm: 'RSA-4096', key: ['rsa', 4096], begins: '-----BEGIN RSA PRIVATE KEY-----', kind: 'common' },
    { algorithm: 'Ed25519', key: ['ed25519'], begins: '-----BEGIN ED25519 PRIVATE KEY-----', kind: 'Ed25519' },
  ] as const)(
    '$algorithm: are self-signed, valid for ten years, and may sign leaf certificates only',
    async ({ algorithm, key, begins, kind }) => {
      const pair = await issueAuthority(aWorld(NOW), 'kubernetes', { algorithm });
      const certificate = new NodeCertificate(pair.cert);
      expect(authorityProblem(pair, kind)).toBeUndefined();
      expect(authorityProblem(pair, kind === 'common' ? 'Ed25519' : 'common')).toMatch(/^tls.key is n/);
      expect(certificate.subject).toBe('CN=kubernetes');
      expect(certificate.verify(certificate.publicKey)).toBe(true);
      expect(certificate.validFromDate).toEqual(new Date('2025-12-31T23:55:00Z'));
      expect(certificate.validToDate).toEqual(later(3650));
      expect(sortOf(certificate.publicKey)).toEqual(key);
      expect(pair.key.startsWith(begins)).toBe(true);
      expect(new X509Certificate(pair.cert).getExtension(BasicConstraintsExtension)).toMatchObject({
        ca: true,
        pathLength: 0,
      });
    },
  );

  test('two authorities never share a key, even with the same source of randomness', async () => {
    const make = () => issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256' });
    expect((await make()).key).not.toBe((await make()).key);
  });

  test('it is valid for the given time', async () => {
    const pair = await issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256', validity: 30 * 24 * 3600 });
    expect(new NodeCertificate(pair.cert).validToDate).toEqual(later(30));
  });

  test.for([
    { algorithm: 'ECDSA-P256', bits: 2048 },
    { algorithm: 'RSA-3072', bits: 3072 },
  ] as const)('with $algorithm the key of service accounts is RSA of $bits bits', async ({ algorithm, bits }) => {
    const pair = await issueServiceAccountKey(algorithm);
    expect(keyPairProblem(pair)).toBeUndefined();
    expect(sortOf(createPublicKey(pair.cert))).toEqual(['rsa', bits]);
    expect(authorityProblem(pair)).toBe('tls.crt is not a certificate in PEM');
  });
});

describe('client certificates', () => {
  test.for<{ readonly name: string; readonly make: () => Promise<Pair> }>([
    { name: 'ours with ECDSA', make: () => issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256' }) },
    { name: 'ours with RSA', make: () => issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'RSA-2048' }) },
    { name: 'supplied with P-384', make: () => aForeignAuthority('P-384') },
    { name: 'supplied with P-521', make: () => aForeignAuthority('P-521') },
  ])('chain byte for byte to an authority that is $name', async ({ make }) => {
    const authority = await make();
    expect(authorityProblem(authority)).toBeUndefined();
    const client = await issueClient(aWorld(NOW), authority, { name: 'me', group: 'system:masters' });
    const certificate = new NodeCertificate(client.cert);
    expect(certificate.verify(new NodeCertificate(authority.cert).publicKey)).toBe(true);
    // Go compares the names as bytes.
    const issuer = Buffer.from(new X509Certificate(client.cert).issuerName.toArrayBuffer());
    expect(issuer).toEqual(Buffer.from(new X509Certificate(authority.cert).subjectName.toArrayBuffer()));
    expect(certificate.subject).toBe('O=system:masters\nCN=me');
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.validToDate).toEqual(later(365));
  });
});

describe('unusable data is reported by its name and never quoted', () => {
  const made = Promise.all([
    issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256' }),
    issueAuthority(aWorld(NOW), 'other', { algorithm: 'ECDSA-P256' }),
  ]);

  test.for<{ readonly name: string; readonly spoil: (pair: Pair, other: Pair) => Pair; readonly want: string }>([
    {
      name: 'not a certificate',
      spoil: (pair) => ({ ...pair, cert: 'x' }),
      want: 'tls.crt is not a certificate in PEM',
    },
    {
      name: 'half of a certificate',
      spoil: (pair) => ({ ...pair, cert: pair.cert.slice(0, 200) }),
      want: 'tls.crt is not a certificate in PEM',
    },
    { name: 'not a key', spoil: (pair) => ({ ...pair, key: 'x' }), want: 'tls.key is not a private key in PEM' },
    {
      name: 'half of a key',
      spoil: (pair) => ({ ...pair, key: pair.key.slice(0, 90) }),
      want: 'tls.key is not a private key in PEM',
    },
    {
      name: 'the key of another authority',
      spoil: (pair, other) => ({ ...pair, key: other.key }),
      want: 'tls.key does not belong to tls.crt',
    },
  ])('$name', async ({ spoil, want }) => {
    const [pair, other] = await made;
    expect(authorityProblem(spoil(pair, other))).toBe(want);
  });

  test('a certificate that may not sign others', async () => {
    const [authority] = await made;
    const leaf = await issueClient(aWorld(NOW), authority, { name: 'a', group: 'b' });
    expect(authorityProblem(leaf)).toBe('tls.crt is not a certificate authority');
  });

  test('a key that Kubernetes does not read', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const pair = {
      cert: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    };
    expect(keyPairProblem(pair)).toBe('tls.key is neither RSA nor ECDSA on P-256, P-384 or P-521');
  });

  test('a private key instead of a public one', async () => {
    const { key } = await issueServiceAccountKey('ECDSA-P256');
    expect(keyPairProblem({ cert: key, key })).toBe('tls.crt is not a public key in PEM');
  });
});

/** One authority signs for the Kubernetes API and for its clients. */
const both = (authority: Pair): Authorities => ({ server: authority.cert, client: authority });

describe('kubeconfigs', () => {
  const made = (async () => {
    const authority = await issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256' });
    const other = await issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256' });
    return { authority, other, text: await newKubeconfig(aWorld(NOW), 'on', ENDPOINT, both(authority)) };
  })();

  test('say where the cluster is, which authority to trust, and which certificate to show', async () => {
    const { text, authority } = await made;
    const config = parse(text) as Record<string, never>;
    expect(config).toMatchObject({
      kind: 'Config',
      'current-context': 'on-admin@on',
      clusters: [{ name: 'on', cluster: { server: 'https://api.example.com:6443' } }],
    });
    expect(text).toContain('name: "on"'); // YAML 1.1 would read a bare on as true
    expect(text).toContain(Buffer.from(authority.cert).toString('base64'));
  });

  test('an IPv6 endpoint is written in brackets', async () => {
    const { authority } = await made;
    const text = await newKubeconfig(aWorld(NOW), 'c', { host: 'fd00::1', port: 443 }, both(authority));
    expect(text).toContain('server: https://[fd00::1]:443');
  });

  test.for([
    { days: 0, good: true },
    { days: 182, good: true },
    { days: 183, good: false },
    { days: 400, good: false },
  ])('after $days days it is still valid for long enough: $good', async ({ days, good }) => {
    const { text, authority } = await made;
    expect(isGood(text, later(days), ENDPOINT, both(authority))).toBe(good);
  });

  test('another endpoint, another authority, another key or invalid data is not accepted', async () => {
    const { text, authority, other } = await made;
    const now = new Date(NOW);
    expect(isGood(text, now, { ...ENDPOINT, port: 443 }, both(authority))).toBe(false);
    expect(isGood(text, now, ENDPOINT, both(other))).toBe(false);
    expect(isGood(text, now, ENDPOINT, { server: authority.cert, client: other })).toBe(false);
    expect(isGood(text, now, ENDPOINT, { server: other.cert, client: authority })).toBe(false);
    const swapped = text.replace(
      /client-key-data: .*/,
      `client-key-data: ${Buffer.from(other.key).toString('base64')}`,
    );
    expect(isGood(swapped, now, ENDPOINT, both(authority))).toBe(false);
    for (const garbage of ['', '{', 'a: b', text.slice(0, 300), text.replaceAll('client-key-data', 'x')])
      expect(isGood(garbage, now, ENDPOINT, both(authority))).toBe(false);
  });
});

test('the hash of a public key equals what openssl computes for the discovery of kubeadm', async () => {
  const pair = await issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256' });
  expect(caCertHash(pair.cert)).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(caCertHash(pair.cert)).not.toBe(
    caCertHash((await issueAuthority(aWorld(NOW), 'kubernetes', { algorithm: 'ECDSA-P256' })).cert),
  );
});

test('tokens have the format of kubeadm and depend only on the bytes they are given', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 400, maxLength: 400 }), (bytes) => {
      const world = () => {
        let used = 0;
        return { now: new Date(NOW), randomBytes: (length: number) => bytes.slice(used, (used += length)) };
      };
      fc.pre(bytes.filter((byte) => byte < 252).length > 300);
      expect(BOOTSTRAP_TOKEN.make(world())).toMatch(BOOTSTRAP_TOKEN.accepts);
      expect(BOOTSTRAP_TOKEN.make(world())).toBe(BOOTSTRAP_TOKEN.make(world()));
    }),
  );
});

test('every character of a token is equally likely', () => {
  const all = (values: readonly number[]) => {
    let next = 0;
    return {
      now: new Date(NOW),
      randomBytes: (length: number) => Uint8Array.from({ length }, () => values[next++ % values.length] ?? 0),
    };
  };
  const token = (bytes: readonly number[]) => BOOTSTRAP_TOKEN.make(all(bytes));
  expect(token([0])).toBe('aaaaaa.aaaaaaaaaaaaaaaa');
  expect(token([251])).toBe('999999.9999999999999999');
  expect(token([255, 253, 252, 1]), 'bytes above 251 are skipped').toBe('bbbbbb.bbbbbbbbbbbbbbbb');
});

test.for<Algorithm>(['ECDSA-P256', 'RSA-2048'])(
  'serial numbers of %s come from the given randomness and are positive',
  async (algorithm) => {
    const world = { now: new Date(NOW), randomBytes: (length: number) => new Uint8Array(length).fill(0xff) };
    const { cert } = await issueAuthority(world, 'kubernetes', { algorithm });
    expect(new NodeCertificate(cert).serialNumber).toBe(`7F${'FF'.repeat(15)}`);
  },
);
