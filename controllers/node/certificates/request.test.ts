/** CertificateSigningRequests are read as they are sent, and nothing in them is overlooked. */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { webcrypto } from 'node:crypto';
import {
  type Extension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { isPending, servingRequest } from './request.ts';

type Names = ConstructorParameters<typeof SubjectAlternativeNameExtension>[0];

async function csr(name: string, names: Names, ...more: readonly Extension[]): Promise<KubeObject> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const request = await Pkcs10CertificateRequestGenerator.create({
    name,
    keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']),
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension(names), ...more],
  });
  return object(Buffer.from(request.toString('pem')).toString('base64'));
}

function object(request: string): KubeObject {
  const spec = { signerName: 's', username: 'u', groups: ['g'], usages: ['server auth'], request };
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'a', uid: 'b' },
    spec,
  };
}

const SUBJECT = 'CN=system:node:a,O=system:nodes';

test('a request of a kubelet has a subject, names and addresses', async () => {
  const sent = await csr(SUBJECT, [
    { type: 'dns', value: 'a' },
    { type: 'ip', value: '10.0.0.7' },
    { type: 'ip', value: '2001:db8::7' },
  ]);
  expect(servingRequest(sent)).toEqual({
    name: 'a',
    uid: 'b',
    signer: 's',
    username: 'u',
    groups: ['g'],
    usages: ['server auth'],
    subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
    names: ['a'],
    addresses: ['10.0.0.7', expect.stringMatching(/^2001:0?db8:.*7$/)],
    others: 0,
  });
});

test('a subject with several organizations shows all of them', async () => {
  const { subject } = servingRequest(await csr(`${SUBJECT},O=system:masters`, [{ type: 'dns', value: 'a' }]));
  expect(subject.organizations).toEqual(['system:nodes', 'system:masters']);
});

test.for<[string, string, Names, readonly Extension[]]>([
  ['a mail address', SUBJECT, [{ type: 'email', value: 'a@b.c' }], []],
  ['a URL', SUBJECT, [{ type: 'url', value: 'https://a.b' }], []],
  ['another part of the subject', `${SUBJECT},OU=admins`, [{ type: 'dns', value: 'a' }], []],
  [
    'another extension',
    SUBJECT,
    [{ type: 'dns', value: 'a' }],
    [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
  ],
])('%s is counted', async ([, subject, names, extensions]) => {
  expect(servingRequest(await csr(subject, names, ...extensions)).others).toBe(1);
});

test.for(['', 'AAAA', Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n').toString('base64')])(
  '%j cannot be read, which fails nothing',
  (request) => {
    expect(servingRequest(object(request)).problem).toBe('it cannot be read');
  },
);

test('one that was approved or denied is not pending', () => {
  const decided = { ...object(''), status: { conditions: [{ type: 'Denied', status: 'True' }] } };
  expect([object(''), decided].map(isPending)).toEqual([true, false]);
});
