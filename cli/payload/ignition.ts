/** An Ignition configuration for display: the effective one, as YAML, with its data URLs as text. */
import { gunzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { counted } from '#lib/api/counted.ts';
import { at, isJsonObject, type Json, stringAt } from '#lib/api/json.ts';
import { textOf } from './text.ts';

/** Unreadable data stays as it is; binary data counts as a secret. */
export function readableIgnition(text: string, showSecrets: boolean): string {
  const config = parsed(text);
  if (config === undefined) return text;
  return stringify(readable(config, showSecrets), { lineWidth: 0, blockQuote: 'literal' });
}

/** The replacement, where the configuration is only a wrapper around it. */
function parsed(text: string): Json | undefined {
  try {
    const config = JSON.parse(text) as Json;
    const bytes = bytesOf(at(config, 'ignition', 'config', 'replace'));
    return bytes === undefined ? config : (parsed(bytes.toString()) ?? config);
  } catch {
    return undefined;
  }
}

function readable(value: Json | undefined, showSecrets: boolean): unknown {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => readable(item, showSecrets));
  if (!isJsonObject(value)) return value;
  const bytes = bytesOf(value);
  if (bytes === undefined && isData(value)) return showSecrets ? value : 'masked, unreadable data';
  if (bytes === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readable(item, showSecrets)]));
  const text = textOf(bytes);
  if (text === undefined && showSecrets) return value;
  return text ?? `masked, ${counted(bytes.length, 'byte')} of binary data`;
}

function isData(resource: unknown): boolean {
  return stringAt(resource, 'source')?.startsWith('data:') === true;
}

/** The bytes of a data URL, unzipped; undefined for anything else. */
function bytesOf(resource: unknown): Buffer | undefined {
  const source = stringAt(resource, 'source') ?? '';
  const [whole, base64, data = ''] = /^data:[^,;]*(;base64)?,(.*)$/s.exec(source) ?? [];
  if (whole === undefined) return undefined;
  try {
    const bytes = base64 === undefined ? Buffer.from(decodeURIComponent(data)) : Buffer.from(data, 'base64');
    return at(resource, 'compression') === 'gzip' ? gunzipSync(bytes) : bytes;
  } catch {
    return undefined;
  }
}
