/** Parts as one text that nodeadm and cloud-init both read: each takes the parts it knows and leaves the others. */
import { sha256 } from '#lib/api/names.ts';

export interface MimePart {
  readonly contentType: string;
  /** ASCII with line feeds: nothing has to be encoded then, which the two read in different ways. */
  readonly text: string;
}

export function multipart(parts: readonly MimePart[]): string {
  const boundary = boundaryOf(parts);
  const sections = parts.map(({ contentType, text }) => `--${boundary}\nContent-Type: ${contentType}\n\n${text}\n`);
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n${sections.join('')}--${boundary}--\n`;
}

/** Of what stands in the parts, so that it is the same for the same parts, and in none of them. */
export function boundaryOf(parts: readonly MimePart[]): string {
  const texts = parts.map(({ text }) => text);
  for (let attempt = 0; ; attempt += 1) {
    const boundary = `slipway-${sha256(JSON.stringify([attempt, texts])).slice(0, 32)}`;
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}
