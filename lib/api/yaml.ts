/** YAML as everything of ours is written: one line for each text however long, no anchors, in an order that is given. */
import { stringify } from 'yaml';
import { canonical } from './json.ts';

/** YAML 1.1, which most programs on a host read, takes a bare `on` or `1_000` for no text: such texts are quoted. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}

/** With its keys in one order: the same claim, written in another order, is the same text. */
export function sortedYaml(value: unknown): string {
  return yamlText(JSON.parse(canonical(value)));
}

/** One document of several. */
export function yamlDocument(value: unknown): string {
  return `---\n${yamlText(value)}`;
}
