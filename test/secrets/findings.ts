/** Looks for secrets in all readable data: in plain text, in base64, gzipped, and combinations. */
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { isJsonObject, type KubeObject } from '#lib/api/json.ts';

/** A shorter value is a word, such as the name of a format. */
const SHORTEST = 16;

/** Keys of a payload Secret that are public: not secret as a whole, though a secret may be in them by mistake. */
const OPEN: ReadonlySet<string> = new Set([PAYLOAD_KEYS.open, PAYLOAD_KEYS.before]);

/**
 * The parts of a Secret that may occur nowhere else: every value except certificates and public keys; and, inside any
 * value, tokens and the lines of private keys. Certificates and CA pins may occur anywhere.
 */
export function secretsOf(secret: KubeObject): readonly string[] {
  const data = isJsonObject(secret['data']) ? Object.entries(secret['data']) : [];
  return data.flatMap(([key, value]) => {
    if (typeof value !== 'string') return [];
    const whole = unzipped(Buffer.from(value, 'base64')).toString('utf8').trim();
    const parts = layersOf(whole).flatMap((text) => [...keysIn(text), ...tokensIn(text)]);
    return whole.length < SHORTEST || OPEN.has(key) || isPublic(whole) ? parts : [whole, ...parts];
  });
}

function isPublic(text: string): boolean {
  return /^-----BEGIN (CERTIFICATE|PUBLIC KEY)-----/.test(text) && !text.includes('PRIVATE KEY');
}

function keysIn(text: string): readonly string[] {
  const blocks = text.match(/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[^-]+-----END/g) ?? [];
  return blocks.flatMap((block) => block.split(/\s+/).filter((line) => /^[A-Za-z0-9+/=]{32,}$/.test(line)));
}

function tokensIn(text: string): readonly string[] {
  return text.match(/(?<![a-z0-9.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![a-z0-9.-])/g) ?? [];
}

/** The secrets that occur in a text. @param deep  also in short words, in texts of JSON and YAML, and between quotes */
export function foundIn(text: string, secrets: readonly string[], deep = false): readonly string[] {
  const layers = layersOf(text, deep);
  return secrets.filter((secret) => layers.some((layer) => layer.includes(secret)));
}

/** The text, and its decoded contents. */
function layersOf(text: string, deep = false, depth = 0): readonly string[] {
  if (depth > 4) return [text];
  const encoded = text.match(deep ? /[A-Za-z0-9+/]{8,}={0,2}/g : /[A-Za-z0-9+/]{20,}={0,2}/g) ?? [];
  const decoded = encoded.map((part) => unzipped(Buffer.from(part, 'base64')).toString('utf8'));
  const inside = deep ? [...decoded.filter(isReadable), ...unquoted(text), ...textsIn(text)] : decoded;
  const layers = [...inside, ...unescaped(text)].filter((one) => one.length > 0);
  return [text, ...layers.flatMap((one) => layersOf(one, deep, depth + 1))];
}

/** What is no text was not in base64. */
function isReadable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\0-\u0008\uFFFD]/.test(text);
}

/** Data URLs may be percent-encoded instead of base64. */
function unescaped(text: string): readonly string[] {
  const plain = text.replaceAll(/%[0-9A-Fa-f]{2}/g, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
  return plain === text ? [] : [plain];
}

/** Scripts quote quotes, and units double percent signs. */
function unquoted(text: string): readonly string[] {
  const plain = [text.replaceAll(/'(?:\\''|"'"')|''/g, "'"), text.replaceAll(/([%$])\1/g, '$1')];
  return plain.filter((one) => one !== text);
}

/** Texts of JSON and YAML that are written in another way than they read. */
function textsIn(text: string): readonly string[] {
  if (!/^(?:[{[]|[\w."-]+:(?:\s|$))/m.test(text)) return [];
  try {
    const values = parseAllDocuments(text, { logLevel: 'silent' }).map((document): unknown => document.toJS());
    return values.flatMap(textsOf).filter((one) => !text.includes(one));
  } catch {
    return [];
  }
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsOf(member)]);
}

function unzipped(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}
