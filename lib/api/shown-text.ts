/** Text of a claim in messages: without users and passwords of URLs, and never longer than a condition should be. */

/** Bytes of a message. */
export const LONGEST_MESSAGE = 1024;

/** One value of a claim: everything up to the last @ of a URL, or of `user:password@host`. */
export function withoutUserinfo(value: string): string {
  if (value.includes('://')) return value.replace(/:\/\/[^]*@/, '://…@');
  return value.replace(/^[^@]*:[^]*@/, '…@');
}

/** The same for a whole message, in which other words stand beside URLs. */
export function withoutUserinfos(message: string): string {
  return message.replace(/:\/\/[^\s"'`]*@/g, '://…@');
}

/** At most this many bytes: the beginning, which names the object, and the end, which says what is accepted. */
export function atMostBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  const gap = ' … ';
  const left = limit - new TextEncoder().encode(gap).length;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.ceil(left / 2)));
  const tail = bytes.slice(bytes.length - Math.floor(left / 2));
  // Not in the middle of a character.
  const begin = tail.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return `${text.slice(0, read)}${gap}${new TextDecoder().decode(tail.slice(begin))}`;
}
