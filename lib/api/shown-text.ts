/** Text of a claim in messages: without users and passwords of URLs, and never longer than a condition should be. */

/** Bytes of a message. */
export const LONGEST_MESSAGE = 1024;

/** One value of a claim: everything up to the last @ of a URL, or of `user:password@host`. */
export function withoutUserinfo(value: string): string {
  const end = endOfUserinfo(value);
  const scheme = value.indexOf('://');
  if (scheme >= 0 && scheme < end) return withoutAuthority(value, scheme, end);
  return end > value.indexOf(':') && value.includes(':') ? `…${value.slice(end)}` : value;
}

/** The same for a whole message, in which other words stand beside URLs. */
export function withoutUserinfos(message: string): string {
  return message.replace(/:\/\/[^\s"'`]+/g, (url) => withoutAuthority(url, 0, endOfUserinfo(url)));
}

/** @param scheme  where its :// is @param end  where its last @ is */
function withoutAuthority(text: string, scheme: number, end: number): string {
  if (end < 0 || HOST.test(text.slice(scheme + 3, end))) return text;
  return `${text.slice(0, scheme)}://…${text.slice(end)}`;
}

/**
 * A host, and a path or query that contains the @. A password may contain any character, so whatever has a colon is not
 * taken for a host; nor is a name without a dot before a path: it may be the first part of a token in base64.
 */
const HOST = /^(([a-z0-9-]+\.)+[a-z0-9-]+[/?#]|[a-z0-9-]+(\/[^?#@]*)?[?#])[^:]*$/;

/** The digest of an image comes after an @, too. */
const DIGEST = /^@sha(256|512):[0-9a-f]{64}/;

/** The last @ that is not before a digest; -1: there is none. */
function endOfUserinfo(text: string): number {
  const end = text.lastIndexOf('@');
  return end > 0 && DIGEST.test(text.slice(end)) ? text.lastIndexOf('@', end - 1) : end;
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
