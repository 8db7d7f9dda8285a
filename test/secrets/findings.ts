/** Looks for secrets in what everybody may read: as they are, in base64, gzipped, and one inside the other. */
import { gunzipSync } from 'node:zlib';
import { isJsonObject, type KubeObject } from '#lib/api/json.ts';

/** What of a Secret must stand nowhere else: lines of private keys, and tokens. Certificates and CA pins may. */
export function secretsOf(secret: KubeObject): readonly string[] {
  const data = isJsonObject(secret['data']) ? Object.values(secret['data']) : [];
  return textsIn(data)
    .flatMap((text) => layersOf(text))
    .flatMap((text) => [...keysIn(text), ...tokensIn(text)]);
}

function keysIn(text: string): readonly string[] {
  const blocks = text.match(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END/g) ?? [];
  return blocks.flatMap((block) => block.split(/\s+/).filter((line) => /^[A-Za-z0-9+/=]{32,}$/.test(line)));
}

function tokensIn(text: string): readonly string[] {
  return text.match(/(?<![a-z0-9.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![a-z0-9.-])/g) ?? [];
}

/** Which of the secrets stand in a value, at any depth. */
export function found(value: unknown, secrets: readonly string[]): readonly string[] {
  const layers = textsIn(value).flatMap((text) => layersOf(text));
  return secrets.filter((secret) => layers.some((layer) => layer.includes(secret)));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [key, ...textsIn(child)]);
}

/** The text, and what it says to those who decode it. */
function layersOf(text: string, depth = 0): readonly string[] {
  if (depth > 4) return [text];
  const encoded = text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? [];
  const decoded = encoded.map((part) => unzipped(Buffer.from(part, 'base64')).toString('utf8'));
  return [text, ...decoded.filter((one) => one.length > 0).flatMap((one) => layersOf(one, depth + 1))];
}

function unzipped(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}
