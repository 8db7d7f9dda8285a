/** Tokens: those of kubeadm, which are six characters, a dot and sixteen characters, and plain ones of 32 digits. */
import type { World } from '#lib/fn/world.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export const BOOTSTRAP_TOKEN = {
  make: (world: World): string => `${characters(world, 6)}.${characters(world, 16)}`,
  accepts: /^[a-z0-9]{6}\.[a-z0-9]{16}$/,
  words: 'six characters, a dot and sixteen characters',
};

/** Sixteen bytes as hexadecimal digits. */
export function newPassword({ randomBytes }: World): string {
  return Buffer.from(randomBytes(16)).toString('hex');
}

function characters({ randomBytes }: World, length: number): string {
  // 252 is the largest multiple of 36 below 256: a byte above it would favour the first letters.
  let text = '';
  while (text.length < length) {
    const usable = Array.from(randomBytes(length)).filter((byte) => byte < 252);
    text += usable.map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  }
  return text.slice(0, length);
}
