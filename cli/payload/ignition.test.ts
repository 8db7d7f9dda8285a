import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodePayload } from './decode.ts';
import { firstBootMask } from './mask.ts';

const PEM = '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----\n';
const base64 = (bytes: Buffer | string): string => `data:;base64,${Buffer.from(bytes as string).toString('base64')}`;

const file = (contents: object): string =>
  JSON.stringify({ ignition: { version: '3.3.0' }, storage: { files: [{ path: '/a', contents }] } });
const wrapped = (text: string): string =>
  JSON.stringify({
    ignition: {
      version: '3.3.0',
      config: { replace: { source: base64(gzipSync(text)), compression: 'gzip' } },
    },
  });
const shown = (text: string, showSecrets = false): string =>
  decodePayload(Buffer.from(text), 'ignition', showSecrets ? undefined : firstBootMask([])).text;

describe('an Ignition configuration', () => {
  test.for([
    { name: 'written as text', text: file({ source: `data:,${encodeURIComponent(PEM)}` }) },
    { name: 'name in base64', text: file({ source: base64(PEM) }) },
    { name: 'gzipped', text: file({ source: base64(gzipSync(PEM)), compression: 'gzip' }) },
    { name: 'in a configuration that is replaced', text: wrapped(file({ source: base64(PEM) })) },
    {
      name: 'appended',
      text: JSON.stringify({ storage: { files: [{ path: '/a', append: [{ source: base64(PEM) }] }] } }),
    },
  ])('has its files decoded and then masked: $name', ({ text }) => {
    expect(shown(text)).toContain('path: /a');
    expect(shown(text)).toMatch(/BEGIN RSA PRIVATE KEY-----\s+masked\s+-----END/);
    expect(shown(text)).not.toContain('hunter2');
    expect(shown(text, true)).toContain('hunter2');
  });

  test.for([
    { name: 'not text', contents: { source: base64(Buffer.from([0xff, 0xfe, 1])) }, note: '3 bytes of binary data' },
    {
      name: 'not gzip although it says so',
      contents: { source: base64(PEM), compression: 'gzip' },
      note: 'unreadable data',
    },
  ])('does not show a file that is $name', ({ contents, note }) => {
    expect(shown(file(contents))).toContain(`masked, ${note}`);
    expect(shown(file(contents))).not.toContain(contents.source);
    expect(shown(file(contents), true)).toContain(contents.source);
  });

  test('is shown as it is when it is not an Ignition configuration', () => {
    expect(shown('not JSON')).toBe('not JSON');
  });
});
