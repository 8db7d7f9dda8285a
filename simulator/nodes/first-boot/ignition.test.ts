/** How a simulated machine reads Ignition configurations; simulations cover those that Slipway renders. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readFirstBoot } from './first-boot.ts';

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes as string).toString('base64');
const url = (bytes: Buffer | string): string => `data:;base64,${base64(bytes)}`;
const read = (config: unknown) => readFirstBoot(base64(JSON.stringify(config))).files;

const config = (version: string, ...files: readonly object[]) => ({ ignition: { version }, storage: { files } });
const replacing = (inner: unknown, version = '3.3.0') => ({
  ignition: {
    version,
    config: { replace: { source: url(gzipSync(JSON.stringify(inner))), compression: 'gzip' } },
  },
});
const A = { path: '/a', contents: { source: 'data:,%7Ba%20b%0A' } };

describe('a simulated machine reads', () => {
  test.for([
    { name: 'text in a data URL', given: config('3.3.0', A), content: '{a b\n' },
    {
      name: 'gzipped base64',
      given: config('3.4.0', { path: '/a', contents: { source: url(gzipSync('x')), compression: 'gzip' } }),
      content: 'x',
    },
    {
      name: 'a media type',
      given: config('3.3.0', { path: '/a', contents: { source: 'data:text/plain;charset=utf-8,x' } }),
      content: 'x',
    },
    { name: 'appended parts', given: config('3.3.0', { ...A, append: [{ source: 'data:,x' }] }), content: '{a b\nx' },
    { name: 'a replaced configuration', given: replacing(config('3.3.0', A)), content: '{a b\n' },
    {
      name: 'a merged configuration',
      given: {
        ignition: { version: '3.3.0', config: { merge: [{ source: url(JSON.stringify(config('3.3.0', A))) }] } },
      },
      content: '{a b\n',
    },
    { name: 'specification 2.3', given: config('2.3.0', { ...A, filesystem: 'root' }), content: '{a b\n' },
  ])('$name', ({ given, content }) => {
    expect(read(given)).toEqual([{ path: '/a', content }]);
  });
});

describe('a simulated machine refuses', () => {
  test.for([
    { name: 'another version', given: config('3.9.0'), why: 'unsupported config version "3.9.0"' },
    { name: 'none', given: {}, why: 'unsupported config version ""' },
    { name: 'a relative path', given: config('3.3.0', { path: 'a' }), why: 'path is not absolute' },
    { name: 'a path twice', given: config('3.3.0', A, A), why: 'duplicate entry /a' },
    { name: 'no filesystem in 2.3', given: config('2.3.0', A), why: 'no filesystem specified for /a' },
    { name: 'a filesystem in 3', given: config('3.3.0', { ...A, filesystem: 'root' }), why: 'unused key filesystem' },
    {
      name: 'a compressed configuration in 2.3',
      given: replacing(config('2.3.0'), '2.3.0'),
      why: 'config.replace: unknown compression "gzip"',
    },
    {
      name: 'invalid gzip',
      given: config('3.3.0', { path: '/a', contents: { source: 'data:,x', compression: 'gzip' } }),
      why: '/a: cannot decompress',
    },
    {
      name: 'a remote source',
      given: config('3.3.0', { path: '/a', contents: { source: 'https://example.org/a' } }),
      why: 'source is not a data URL',
    },
  ])('$name', ({ given, why }) => {
    expect(() => read(given)).toThrow(why);
  });

  test('gzipped user data, which only cloud-init unpacks', () => {
    expect(() => readFirstBoot(base64(gzipSync(JSON.stringify(config('3.3.0', A)))))).toThrow('the data is gzipped');
  });

  test('a truncated document', () => {
    expect(() => readFirstBoot(base64('{"ignition":'))).toThrow('ignition: config is not valid JSON');
  });
});
