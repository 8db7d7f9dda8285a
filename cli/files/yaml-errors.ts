/** What is wrong with the commonest typing errors of YAML, in plain words and at the line that is to be mended. */
import { type Document, isCollection, isMap, isScalar, visit, type YAMLError } from 'yaml';

/** What is wrong, and the position in the text where it begins. */
export interface Fault {
  readonly at: number;
  readonly said: string;
}

/** Of text that the parser gives up on, too. */
export const TOO_DEEP = 'it is nested too deeply';

const NO_PAIR = 'this line is no key and value; accepted: KEY: VALUE, with a space after the colon';
const TWO_COLONS = 'a second ": " in one line; accepted: quotes around the value';
const DEEPER =
  'the next line is indented further than this one, which has a value; accepted: the same indentation, or no value';

/** By the code of an error, and by what the library says where a code has several meanings. */
const PLAIN: readonly { readonly said: RegExp; readonly says: (...parts: readonly string[]) => string }[] = [
  { said: /^TAB_AS_INDENT /, says: () => 'it is indented with a tab; accepted: spaces' },
  { said: /^MULTILINE_IMPLICIT_KEY |followed by map values$/, says: () => NO_PAIR },
  {
    said: /Missing closing (["'])quote$/,
    says: (quote = '') => `a text that begins with ${quote} does not end; accepted: ${quote} at its end`,
  },
  {
    said: /Flow sequence in block .* a \]$/,
    says: () => 'a list that begins with [ does not end; accepted: ] at its end',
  },
  { said: /Flow map in block .* a \}$/, says: () => 'a map that begins with { does not end; accepted: } at its end' },
  {
    said: /Unexpected flow-(?:map|seq)-start at node end$/,
    says: () => 'another object begins here; accepted: --- on a line of its own between two objects',
  },
  { said: /Unexpected flow-seq-end token/, says: () => 'a ] without a [ before it; accepted: one ] for each [' },
  { said: /Unexpected flow-map-end token/, says: () => 'a } without a { before it; accepted: one } for each {' },
  {
    said: /All (?:mapping|sequence) items must start at the same column$|Sequence item without - indicator$/,
    says: () => 'it is indented otherwise than the lines that it belongs to; accepted: the same indentation',
  },
  {
    said: /^BAD_SCALAR_START .* character (.)$/,
    says: (sign = '') => `a value cannot begin with ${sign}; accepted: quotes around it`,
  },
  {
    said: /(?:Anchor|Alias) cannot be an empty string$/,
    says: () => 'a value cannot be & or * alone; accepted: quotes around it',
  },
];

/** The first fault of a document; undefined: there is none. */
export function faultOf(document: Document.Parsed, text: string): Fault | undefined {
  const [error, next] = document.errors;
  if (error === undefined) return aliasOfNothing(document) ?? keyOfSeveral(document);
  return { at: placeOf(error, document, text), said: plainly(error, next, text) };
}

/** The library's own sentence where there is no plainer one. */
function plainly(error: YAMLError, next: YAMLError | undefined, text: string): string {
  if (error.message.startsWith('Maximum call stack')) return TOO_DEEP;
  if (error.code === 'DUPLICATE_KEY') {
    const [key] = /^[\w.-]+/.exec(text.slice(error.pos[0])) ?? [];
    return `${key === undefined ? 'this key' : `key "${key}"`} is there twice; accepted: each key once`;
  }
  // A value that goes on in the next line is no key in one line either.
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY')
    return next?.code === 'MULTILINE_IMPLICIT_KEY' && next.pos[0] === error.pos[0] ? DEEPER : TWO_COLONS;
  const message = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'not YAML';
  for (const { said, says } of PLAIN) {
    const found = said.exec(`${error.code} ${message}`);
    if (found !== null) return says(...found.slice(1));
  }
  return message;
}

/** What does not end is mended where it begins, and an indentation at the line that has one. */
function placeOf({ code, message, pos: [found] }: YAMLError, document: Document.Parsed, text: string): number {
  if (/^Missing closing|^Flow (?:map|sequence) in/.test(message)) return openAt(document, found);
  if (code !== 'BAD_INDENT') return found;
  return found + (/^(?:[ \t]*(?:#.*)?\r?\n)*/.exec(text.slice(found))?.[0].length ?? 0);
}

/** Where the innermost text, list or map in signs begins that goes as far as a position. */
function openAt(document: Document.Parsed, end: number): number {
  let begun = end;
  visit(document, {
    Node(_, node) {
      const isInSigns = isCollection(node) ? node.flow : isScalar(node) && node.type?.startsWith('QUOTE');
      const [from = end, to = end] = node.range ?? [];
      if (isInSigns === true && from < end && to >= end) begun = from;
    },
  });
  return begun;
}

/** The library finds it only when the values are made, and without its place. */
function aliasOfNothing(document: Document.Parsed): Fault | undefined {
  const anchors = new Set<string>();
  let fault: Fault | undefined;
  visit(document, {
    Alias(_, { source, range }) {
      if (anchors.has(source)) return undefined;
      const said = `*${source} stands for what has the anchor &${source}, and nothing before it has; accepted: quotes around a value that begins with *`;
      fault = { at: range?.[0] ?? document.range[0], said };
      return visit.BREAK;
    },
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  return fault;
}

/** YAML takes a list or a map for a key, Kubernetes does not: as `{{ .Values.version }}` is read. */
function keyOfSeveral(document: Document.Parsed): Fault | undefined {
  let fault: Fault | undefined;
  visit(document, {
    Pair(_, { key }) {
      if (!isCollection(key)) return undefined;
      const said =
        isMap(key) && key.flow === true
          ? 'this looks like a template in {{ }}; accepted: YAML that is rendered already, such as by helm template'
          : 'a key is a list or a map; accepted: text';
      fault = { at: key.range?.[0] ?? document.range[0], said };
      return visit.BREAK;
    },
  });
  return fault;
}
