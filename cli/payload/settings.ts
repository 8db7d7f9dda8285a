/** Bottlerocket settings for display: user data of containers and static pods as text. */
import { counted } from '#lib/api/counted.ts';
import { textOf } from './text.ts';

const ENCODED = /^(?<key>user-data|manifest) = "(?<base64>[A-Za-z0-9+/=]*)"$/gm;

/** Binary data counts as a secret. */
export function readableSettings(toml: string, showSecrets: boolean): string {
  return toml.replaceAll(ENCODED, (line, key: string, base64: string) => {
    const bytes = Buffer.from(base64, 'base64');
    const text = textOf(bytes);
    if (text !== undefined && !text.includes("'''")) return `${key} = '''\n${text}'''`;
    return showSecrets ? line : `${key} = "masked, ${counted(bytes.length, 'byte')}"`;
  });
}
