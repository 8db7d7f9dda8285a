/**
 * #cloud-config as text that every YAML parser reads the same way; cloud-init uses YAML 1.1. Keys that are not plain
 * words and all strings are quoted, and non-ASCII characters are escaped. There is no template header, so braces have
 * no meaning.
 */
import { Document, isScalar, Scalar, visit } from 'yaml';

/** Text that is safe as a literal block: visible ASCII and line feeds, the first line not indented. */
const PLAIN = /^\n*[\x21-\x7e][\x20-\x7e\n]*$/;

/** A key that we write; keys of a claim may be anything. */
const WORD = /^[a-z]+(_[a-z]+)*$/;

export function isPlain(text: string): boolean {
  return text === '' || PLAIN.test(text);
}

export function cloudConfigText(config: Readonly<Record<string, unknown>>): string {
  const document = new Document(config, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(key, node) {
      if (!isScalar(node) || typeof node.value !== 'string') return;
      if (key === 'key') {
        if (!WORD.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
        return;
      }
      node.type = node.value.includes('\n') && isPlain(node.value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true, indentSeq: false });
  // Only quoted strings contain such characters. YAML 1.1 treats some of them as line ends and refuses others.
  return `#cloud-config\n${text.replaceAll(/[^\n\x20-\x7e]/gu, escaped)}`;
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, '0');
}
