import { describe, expect, test } from 'vitest';
import { secretsIn } from '#lib/fn/masking/secrets.ts';
import { decodePayload } from './decode.ts';
import { firstBootMask } from './mask.ts';

const masked = firstBootMask([]);

const PEM = '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----\n';

test.for([
  PEM,
  'token: abcdef.hunter2hunter2ab',
  'secret: aHVudGVyMg== # hunter2',
  'registry-token: "hunter2"',
  "passwd: 'hunter2'",
  '{"auths":{"ghcr.io":{"auth":"hunter2"}}}',
  '{"token": "a\\"hunter2"}',
  '  password: |\n    first\n\n    hunter2',
  '  - secret: >-\n      first\n      hunter2\n  - next: one',
  'AWS_SECRET_ACCESS_KEY=hunter2',
  'export PASSWORD="hunter2"',
  'password = hunter2',
  'register --token hunter2',
  'curl -H "Authorization: Bearer hunter2.hunter2" https://example.org',
  'HTTP_PROXY=http://proxy:hunter2@10.0.0.1:3128',
])('masks the secret in %j', (text) => {
  expect(masked(text)).not.toContain('hunter2');
  expect(masked(masked(text)), 'masking twice equals masking once').toBe(masked(text));
});

test.for([
  { text: `- sh -c "echo password: hunter2"`, shown: `- sh -c "echo password: masked"` },
  { text: `- 'token: hunter2'`, shown: `- 'token: masked'` },
  { text: `run: "mysql --password hunter2"`, shown: `run: "mysql --password masked"` },
  { text: `"a": "{\\"auth\\": \\"hunter2\\", \\"b\\": 1}"`, shown: `"a": "{\\"auth\\": \\"masked\\", \\"b\\": 1}"` },
])('masks the value in $text and keeps the quotes around it', ({ text, shown }) => {
  expect(masked(text)).toBe(shown);
  expect(masked(shown)).toBe(shown);
});

test.for([
  'enable-bootstrap-token-auth: "true"',
  'tokens: two',
  'token:\n  ttl: 24h0m0s',
  'tokenTTL: 24h0m0s',
  'token=$(cat /run/token)',
  'if [ -z "$token" ]; then exit 1; fi',
  'https://example.org:8443/a@b',
  'sudo: "ALL=(ALL) NOPASSWD:ALL"',
  'lock_passwd: true',
])('leaves %j as it is', (text) => {
  expect(masked(text)).toBe(text);
});

test('stops masking at the end of the block', () => {
  expect(masked('a:\n  password: |\n    one\n    two\n  user: admin\n')).toBe(
    'a:\n  password: masked\n  user: admin\n',
  );
});

test('masks long lines without keys quickly', () => {
  const long = `${'a'.repeat(200_000)}\n${' '.repeat(50_000)}x\n${'auth'.repeat(20_000)}\n`;
  expect(masked(long)).toBe(long);
});

describe('files of a cloud-config', () => {
  const file = (encoding: string, content: string): string =>
    `#cloud-config\nwrite_files:\n  - path: /a\n    encoding: ${encoding}\n    content: ${content}\n`;
  const shown = (text: string, showSecrets = false): string =>
    decodePayload(Buffer.from(text), 'cloud-config', showSecrets ? undefined : masked).text;

  test('are decoded and masked in data for Windows, too', () => {
    const text = file('b64', Buffer.from(PEM).toString('base64'));
    const { text: readable } = decodePayload(Buffer.from(text), 'cloudbase-init', masked);
    expect(readable).toMatch(/BEGIN RSA PRIVATE KEY-----\s+masked\s+-----END/);
    expect(readable).not.toContain(Buffer.from(PEM).toString('base64'));
  });

  test('are decoded, then masked', () => {
    const text = file('b64', Buffer.from(PEM).toString('base64'));
    expect(shown(text)).toMatch(/BEGIN RSA PRIVATE KEY-----\s+masked\s+-----END/);
    expect(shown(text, true)).toContain('hunter2');
  });

  test('are not shown if they are binary, because their contents are unknown', () => {
    const content = Buffer.from([0xff, 0xfe, 1, 2, 3]).toString('base64');
    expect(shown(file('b64', content))).not.toContain(content);
    expect(shown(file('b64', content))).toContain('masked, 5 bytes of binary data');
    expect(shown(file('b64', content), true)).toContain(content);
  });

  test('are not decoded when they are not valid base64 or gzip', () => {
    const text = file('gz+b64', 'bm90IHppcHBlZA==');
    expect(shown(text)).toContain('masked, 10 bytes of binary data');
    expect(shown(text, true)).toContain('bm90IHppcHBlZA==');
    expect(shown(file('text/plain', 'hello'))).toContain('content: hello');
  });
});

test('masks values of Secrets, whatever they look like, also in another indentation', () => {
  const text = 'content: |\n    first word\n    hunter2 hunter2\nrun: ok\n';
  expect(firstBootMask(['first word\n  hunter2 hunter2\n', 'ok'].flatMap((value) => secretsIn(value)))(text)).toBe(
    'content: |\n    masked\n    masked\nrun: ok\n',
  );
});
