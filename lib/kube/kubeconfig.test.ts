import { createPrivateKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { newAuthority } from '../../test/support/certificates.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { endpointOf } from './kubeconfig.ts';
import { isLocal } from '#lib/api/local-address.ts';
import { lookupElsewhere } from './name-lookup.ts';

const OWNER = 'Secret "team-a/prod-kubeconfig"';
const TOKEN = 'obviously-not-a-real-token';

const authority = await newAuthority();
const { ca, cert, key } = await authority.issue('admin');
const other = await authority.issue('other');
const base64 = (bytes: Buffer): string => bytes.toString('base64');

const CLUSTER = { server: 'https://api.example.org:6443', 'certificate-authority-data': base64(ca) };
const CERTIFICATE = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };

function kubeconfig(cluster: object = {}, user: object = { token: TOKEN }, more: object = {}): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod',
    clusters: [
      { name: 'other', cluster: { server: 'https://other.example.org' } },
      { name: 'prod', cluster: { ...CLUSTER, ...cluster } },
    ],
    users: [
      { name: 'nobody', user: {} },
      { name: 'admin', user },
    ],
    contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'admin' } }],
    ...more,
  });
}

function faultOf(text: string): { readonly fault: string; readonly message: string } {
  try {
    endpointOf(text, OWNER);
  } catch (thrown) {
    if (thrown instanceof KubeconfigError) return { fault: thrown.fault, message: thrown.message };
    throw thrown;
  }
  return { fault: 'none', message: '' };
}

describe('a kubeconfig', () => {
  test('leads where its current context says, with its token', () => {
    const { server, credentials } = endpointOf(kubeconfig(), OWNER);
    expect(server).toBe('https://api.example.org:6443');
    expect(credentials).toEqual({
      minVersion: 'TLSv1.2',
      ca: ca.toString('utf8'),
      servername: 'api.example.org',
      headers: { authorization: `Bearer ${TOKEN}` },
      lookup: expect.any(Function) as unknown,
    });
  });

  test('leads to its only cluster, with its only user, when it names no context', () => {
    const only = { clusters: [{ name: 'a', cluster: CLUSTER }], users: [{ name: 'b', user: CERTIFICATE }] };
    const { credentials } = endpointOf(kubeconfig({}, {}, { ...only, 'current-context': '', contexts: [] }), OWNER);
    expect(credentials).toMatchObject({ cert: cert.toString('utf8'), key: key.toString('utf8') });
    expect(credentials.headers).toBeUndefined();
  });

  test('may name the server otherwise than its address', () => {
    const { credentials } = endpointOf(
      kubeconfig({ server: 'https://10.0.0.1:6443/k8s/clusters/c-1/', 'tls-server-name': 'kubernetes' }),
      OWNER,
    );
    expect(credentials.servername).toBe('kubernetes');
    expect(endpointOf(kubeconfig({ server: 'https://[2001:db8::1]:6443/' }), OWNER)).toMatchObject({
      server: 'https://[2001:db8::1]:6443',
      credentials: expect.not.objectContaining({ servername: expect.anything() as unknown }) as unknown,
    });
  });

  test('has an empty field like none', () => {
    const user = { ...CERTIFICATE, token: '', exec: null, tokenFile: '' };
    expect(faultOf(kubeconfig({ 'insecure-skip-tls-verify': false, 'proxy-url': '' }, user)).fault).toBe('none');
  });
});

describe('a kubeconfig is refused, with a code, and no message repeats what it holds', () => {
  const pem = (text: string): string =>
    base64(Buffer.from(`-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`));
  const encrypted = createPrivateKey(key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  }) as string;
  const SECRET = 'dont-repeat-me';
  test.for<readonly [title: string, text: string, fault: string, message: string]>([
    ['no YAML', `{"a": ${SECRET}`, 'NotAKubeconfig', 'it holds no kubeconfig'],
    ['a list', `- ${SECRET}`, 'NotAKubeconfig', 'it holds no kubeconfig'],
    ['aliases that grow', 'a: &a [x, x]\nb: &b [*a, *a]\nclusters: *b', 'NotAKubeconfig', 'it holds no kubeconfig'],
    ['no cluster', stringify({ clusters: [] }), 'NotAKubeconfig', 'it holds no kubeconfig: clusters'],
    [
      'a context without its cluster',
      kubeconfig({}, undefined, { contexts: [{ name: 'prod', context: { cluster: SECRET } }] }),
      'NotAKubeconfig',
      'its current context names no cluster of it',
    ],
    ['no URL', kubeconfig({ server: SECRET }), 'NotAKubeconfig', 'its server is no URL; accepted: https://HOST:PORT'],
    [
      'plain HTTP',
      kubeconfig({ server: 'http://api.example.org' }),
      'NotHttps',
      'its server is "http://api.example.org"; accepted: https://HOST:PORT',
    ],
    [
      'a password in the URL',
      kubeconfig({ server: `https://jane:${SECRET}@api.example.org` }),
      'NotHttps',
      'its server has more than a host, a port and a path; accepted: https://HOST:PORT',
    ],
    [
      'a file of a unix host',
      kubeconfig({ server: 'file:///etc/shadow' }),
      'NotHttps',
      'its server is "file://"; accepted: https://HOST:PORT',
    ],
    [
      'an authority in a file',
      kubeconfig({ 'certificate-authority': `/${SECRET}` }),
      'NamesAFile',
      'its cluster has "certificate-authority", which names a file; accepted: certificate-authority-data',
    ],
    [
      'no check of the certificate',
      kubeconfig({ 'insecure-skip-tls-verify': true }),
      'NotVerified',
      'its cluster has "insecure-skip-tls-verify"; accepted: certificate-authority-data',
    ],
    [
      'a proxy',
      kubeconfig({ 'proxy-url': `http://${SECRET}` }),
      'Proxy',
      'its cluster has "proxy-url"; accepted: a server without a proxy',
    ],
    [
      'an authority that is none',
      kubeconfig({ 'certificate-authority-data': pem(SECRET) }),
      'NotACertificate',
      'its "certificate-authority-data" is no certificate',
    ],
    [
      'a program',
      kubeconfig({}, { exec: { command: SECRET } }),
      'CredentialPlugin',
      'its user has "exec", which starts a program; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'an old program',
      kubeconfig({}, { 'auth-provider': { name: SECRET } }),
      'CredentialPlugin',
      'its user has "auth-provider", which starts a program; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'a token in a file',
      kubeconfig({}, { tokenFile: `/${SECRET}` }),
      'NamesAFile',
      'its user has "tokenFile", which names a file; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'a key in a file',
      kubeconfig({}, { ...CERTIFICATE, 'client-key': `/${SECRET}` }),
      'NamesAFile',
      'its user has "client-key", which names a file; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'a password',
      kubeconfig({}, { username: 'jane', password: SECRET }),
      'Password',
      'its user has a password; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'another name',
      kubeconfig({}, { token: TOKEN, as: SECRET }),
      'Impersonation',
      'its user has "as", which makes it act as somebody else; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'nothing',
      kubeconfig({}, {}),
      'NoCredentials',
      'its user has no credentials; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'a user that is not in it',
      kubeconfig({}, undefined, { users: [] }),
      'NoCredentials',
      'its user has no credentials; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'a certificate without its key',
      kubeconfig({}, { 'client-certificate-data': base64(cert) }),
      'NoCredentials',
      'its user has no credentials; accepted: a token, or client-certificate-data and client-key-data',
    ],
    [
      'a token of two lines',
      kubeconfig({}, { token: `${SECRET}\r\nX-Other: 1` }),
      'NotAKubeconfig',
      'it holds no kubeconfig: users.1.user.token',
    ],
    [
      'a certificate that is none',
      kubeconfig({}, { ...CERTIFICATE, 'client-certificate-data': pem(SECRET) }),
      'NotACertificate',
      'its "client-certificate-data" is no certificate',
    ],
    [
      'a key that is none',
      kubeconfig({}, { ...CERTIFICATE, 'client-key-data': base64(Buffer.from(SECRET)) }),
      'NotACertificate',
      'its "client-key-data" is no private key',
    ],
    [
      'an encrypted key',
      kubeconfig({}, { ...CERTIFICATE, 'client-key-data': base64(Buffer.from(encrypted)) }),
      'NotACertificate',
      'its "client-key-data" is no private key',
    ],
    [
      'the key of another certificate',
      kubeconfig({}, { ...CERTIFICATE, 'client-key-data': base64(other.key) }),
      'NotACertificate',
      'its "client-key-data" belongs to another certificate',
    ],
  ])('%s', ([, text, fault, message]) => {
    const found = faultOf(text);
    expect(found).toEqual({ fault, message: `cannot use ${OWNER}: ${message}` });
    expect(found.message).not.toContain(SECRET);
  });
});

describe('a kubeconfig must not lead to the host that reads it', () => {
  test.for([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0.0.0.0',
    '169.254.169.254',
    '100.100.100.200',
    '224.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ])('%s', (host) => {
    expect(faultOf(kubeconfig({ server: `https://${host}:6443` })).fault).toBe('LocalAddress');
    expect(
      endpointOf(kubeconfig({ server: `https://${host}:6443` }), OWNER, { local: true }).credentials.lookup,
    ).toBeUndefined();
  });

  test.for([
    '10.0.0.1',
    '192.168.1.1',
    '8.8.8.8',
    '100.64.0.1',
    '2001:db8::1',
    'fd12::1',
    '64:ff9b::808:808',
    'localhost.example.org',
  ])('but elsewhere: %s', (host) => expect(isLocal(host)).toBe(false));

  type Looked = Promise<{ readonly error: Error | null; readonly found: unknown }>;
  const looked = (name: string, options: object, own?: string): Looked =>
    new Promise((resolve) => lookupElsewhere(own)(name, options, (error, found) => resolve({ error, found })));

  test.for([{}, { all: true }, { family: 4 }])(
    'a name is looked up for each connection, and leads there neither: %o',
    async (options) => {
      const { error } = await looked('localhost', options);
      expect(error?.message).toBe('its name is an address of this host');
    },
  );

  test.for([
    { options: {}, found: '192.0.2.7' },
    { options: { all: true }, found: [{ address: '192.0.2.7', family: 4 }] },
  ])('an address elsewhere is found: %o', async ({ options, found }) => {
    expect(await looked('192.0.2.7', options)).toEqual({ error: null, found });
  });
});

describe('a kubeconfig must not lead to the cluster of the reader', () => {
  const own = 'https://10.96.0.1:443';

  test.for(['https://10.96.0.1', 'https://10.96.0.1:443/', 'https://10.96.1:443/api'])('%s', (server) => {
    const read = (): unknown => endpointOf(kubeconfig({ server }), OWNER, { own });
    expect(read).toThrow(
      'cannot use Secret "team-a/prod-kubeconfig": its server "10.96.0.1" is the Kubernetes API of the management ' +
        'cluster; accepted: an address of the workload cluster',
    );
  });

  test.for(['https://10.96.0.2', 'https://10.96.0.1:6443'])('but elsewhere: %s', (server) => {
    expect(endpointOf(kubeconfig({ server }), OWNER, { own }).server).toBe(server);
  });

  test('nor by a name that is looked up', async () => {
    const outcome = await new Promise<Error | null>((resolve) => {
      lookupElsewhere('192.0.2.7')('192.0.2.7', {}, (error) => resolve(error));
    });
    expect(outcome?.message).toBe('its name is an address of the management cluster');
  });
});
