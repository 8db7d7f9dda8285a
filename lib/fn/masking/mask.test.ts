/** Secrets that are known are masked however they are written, and each row of the encodings is needed. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENCODINGS } from './encodings.ts';
import { maskOf } from './mask.ts';

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes as string).toString('base64');
const broken = (text: string, width: number): string =>
  text.replaceAll(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n    ');

/** By encoding: how programs write a text. */
const WRITERS: Readonly<Record<keyof typeof ENCODINGS, (text: string) => string>> = {
  base64: (text) => base64(text).replaceAll('+', '-').replaceAll('/', '_'),
  wrapped: (text) => broken(base64(text), 12),
  hex: (text) => Buffer.from(text).toString('hex'),
  gzip: (text) => base64(gzipSync(text)),
  percent: (text) =>
    encodeURIComponent(text).replaceAll(/[-.!~*'()]/g, (found) => `%${found.charCodeAt(0).toString(16)}`),
  backslash: (text) => JSON.stringify(text).slice(1, -1),
  backtick: (text) => text.replaceAll(/[`"$]/g, '`$&'),
  quotes: (text) => text.replaceAll("'", `'\\''`),
  doubled: (text) => text.replaceAll(/[%$]/g, '$&$&'),
};

const secret = fc
  .string({ unit: fc.constantFrom(...Array.from('abcXYZ019+/-_%$`"\'\\:@é')), minLength: 6, maxLength: 60 })
  .map((text) => `${text}"$%\`'`);
const ways = fc.array(fc.constantFrom(...Object.values(WRITERS)), { maxLength: 3 });

test('a secret is masked in any encoding, and in encodings of encodings', () => {
  fc.assert(
    fc.property(secret, ways, (text, chain) => {
      const written = chain.reduce((inner, write) => write(inner), text);
      expect(maskOf([latin1(text)])(`a: [ ${written} ] z`)).toBe('a: [ masked ] z');
    }),
    { numRuns: 300, seed: 1 },
  );
});

describe.for(Object.keys(WRITERS))('without its row, %s', (name) => {
  const { [name]: _without, ...others } = ENCODINGS;
  const text = `fa"ke$wo%rd\`i's`;
  const written = WRITERS[name]!(text);

  test('hides a secret', () => {
    expect(maskOf([latin1(text)])(written)).toBe('masked');
    expect(maskOf([latin1(text)], { encodings: others })(written)).toBe(written);
  });
});
