/** The YAML format of all our output: one line per text of any length, no anchors, in a given order. */
import { stringify } from 'yaml';
import { canonical } from './json.ts';

/**
 * YAML 1.1, which most programs on a host use, does not read a bare `on` or `1_000` as text, so such texts are quoted.
 */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}

/** With sorted keys: the same claim with another order of keys gives the same text. */
export function sortedYaml(value: unknown): string {
  return yamlText(JSON.parse(canonical(value)));
}

/** One document of several. */
export function yamlDocument(value: unknown): string {
  return `---\n${yamlText(value)}`;
}
