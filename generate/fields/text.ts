/** Text as it stands in a cell of a markdown table. */
import { stringify } from 'yaml';
import type { Json } from '#lib/api/json.ts';

/** A value as code, as it is written in a claim: a text in quotes where YAML would take it for something else. */
export function code(value: Json): string {
  const text =
    typeof value === 'string' ? stringify(value, { compat: 'yaml-1.1', lineWidth: 0 }).trim() : JSON.stringify(value);
  return `\`${text}\``;
}

/** Prose: what markdown or a table would take for its own is said as it stands. */
export function prose(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*');
}
