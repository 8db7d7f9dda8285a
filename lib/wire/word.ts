/**
 * Words that come in every message again, such as the keys of objects: each is made once and kept. Never for values,
 * which may be secret.
 */
import type { Reader } from 'protobufjs/minimal.js';

const LONGEST = 48;
const SLOTS = 4096;
/** By the hash of their bytes; a new word takes the place of another one with its hash. */
const words: string[] = Array.from({ length: SLOTS }, () => '');

/** The text where the reader is. Invalid UTF-8 becomes U+FFFD, as in all text. */
export function wordAt(reader: Reader): string {
  const before = reader.pos;
  const length = reader.size();
  const start = reader.pos;
  reader.skip(length);
  const { buf } = reader;
  let hash = length;
  if (length <= LONGEST)
    for (let at = start; at < reader.pos; at += 1) hash = (Math.imul(hash, 31) + (buf[at] ?? 0)) | 0;
  const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
  const known = words[slot] ?? '';
  if (isText(known, buf, start, length)) return known;
  reader.pos = before;
  const word = reader.string();
  if (length <= LONGEST) words[slot] = word;
  return word;
}

/** Never true for text that is not ASCII: its bytes are no characters. */
function isText(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[start + i] ?? 0;
    if (byte > 127 || text.charCodeAt(i) !== byte) return false;
  }
  return true;
}
