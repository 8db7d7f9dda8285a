import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NOBODY, NOBODY_SENTENCE } from './nobody.ts';

/** As SSH encodes a field: its length in four bytes, then its bytes. */
function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

test('the public key of nobody is the hash of a sentence, so that nobody can have chosen it', () => {
  const point = createHash('sha256').update(NOBODY_SENTENCE).digest();
  const key = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(point)]);
  expect(NOBODY).toBe(`ssh-ed25519 ${key.toString('base64')} nobody`);
});
