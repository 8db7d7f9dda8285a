/**
 * #cloud-config as text that every YAML reader takes alike – cloud-init's is of YAML 1.1. Keys are our own words,
 * strings are quoted, everything beyond ASCII is escaped. There is no template header: braces mean nothing.
 */
import { Document, isScalar, Scalar, visit } from 'yaml';

/** Text that stays what it is as a literal block: visible ASCII and line feeds, no white space in front. */
const PLAIN = /^[\x21-\x7e][\x20-\x7e\n]*$/;

export function isPlain(text: string): boolean {
  return text === '' || PLAIN.test(text);
}

export function cloudConfigText(config: Readonly<Record<string, unknown>>): string {
  const document = new Document(config, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || !isScalar(node) || typeof node.value !== 'string') return;
      node.type = node.value.includes('\n') && isPlain(node.value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
  // Only quoted strings hold such characters. YAML 1.1 takes some of them for line ends and refuses others.
  return `#cloud-config\n${text.replaceAll(/[^\n\x20-\x7e]/gu, escaped)}`;
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, '0');
}
