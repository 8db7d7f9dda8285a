/** The YAML format of all our output: one line per text of any length, no anchors, in a given order. */
import { type CreateNodeOptions, Document, type DocumentOptions, stringify, type ToStringOptions, visit } from 'yaml';
import { canonical } from './json.ts';

/**
 * YAML 1.1, which most programs on a host use, does not read a bare `on` or `1_000` as text, so such texts are quoted.
 */
export function yamlText(value: unknown): string {
  const options = { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const;
  const text = stringify(value, options);
  return text.includes('${SLIPWAY_') ? withQuotes(value, options) : text;
}

/** A machine replaces the reference by its value, which could read as a number: it stays a text. */
function withQuotes(value: unknown, options: DocumentOptions & ToStringOptions & CreateNodeOptions): string {
  const document = new Document(value, options);
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && /^\$\{SLIPWAY_\w+\}$/.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString(options);
}

/** With sorted keys: the same claim with another order of keys gives the same text. */
export function sortedYaml(value: unknown): string {
  return yamlText(JSON.parse(canonical(value)));
}

/** One document of several. */
export function yamlDocument(value: unknown): string {
  return `---\n${yamlText(value)}`;
}
