/** Text among bytes. */

/** The bytes as text, when that is what they are. */
export function textOf(bytes: Buffer | undefined): string | undefined {
  const text = bytes?.toString('utf8');
  return text !== undefined && bytes?.equals(Buffer.from(text)) === true ? text : undefined;
}
