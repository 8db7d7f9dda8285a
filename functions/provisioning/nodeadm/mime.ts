/** Multipart text for nodeadm and cloud-init: each reads the parts it supports and ignores the others. */
import { sha256 } from '#lib/api/names.ts';

export interface MimePart {
  readonly contentType: string;
  /** ASCII with line feeds, so that no part needs an encoding, which the two read differently. */
  readonly text: string;
}

export function multipart(parts: readonly MimePart[]): string {
  const boundary = boundaryOf(parts);
  const sections = parts.map(({ contentType, text }) => `--${boundary}\nContent-Type: ${contentType}\n\n${text}\n`);
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n${sections.join('')}--${boundary}--\n`;
}

/** A hash of the parts: the same for the same parts, and contained in none of them. */
export function boundaryOf(parts: readonly MimePart[]): string {
  const texts = parts.map(({ text }) => text);
  for (let attempt = 0; ; attempt += 1) {
    const boundary = `slipway-${sha256(JSON.stringify([attempt, texts])).slice(0, 32)}`;
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}
