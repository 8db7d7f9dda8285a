/** The texts that a file in YAML or JSON is made of. What it costs grows with its bytes, whatever is wrong in it. */
import { Composer, isAlias, isCollection, isMap, isScalar, type Node, Parser } from 'yaml';

/** One character for each byte. */
export const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** Fields of files for Kubernetes, such as a kubeconfig, that name what they are about and whom to trust. */
const OPEN: ReadonlySet<string> = new Set(
  (
    'apiVersion kind name namespace resources cluster user server current-context context ' +
    'certificate-authority-data tls-server-name endpoints nodes ca crt'
  ).split(' '),
);

/** To look for equal keys, or for the lines of errors, would take the square of the time. */
const PARSING = { uniqueKeys: false, prettyErrors: false } as const;

/** Whether it may be YAML or JSON, so that it is parsed. */
export function looksParsed(text: string): boolean {
  return /^(?:[{[]|[\w."-]+:(?:\s|$))/m.test(text);
}

/** The texts in YAML or JSON, in latin1; undefined: it is none, such as with two equal keys. */
export function leavesOf(text: string): readonly string[] | undefined {
  if (!looksParsed(text)) return undefined;
  const file = { open: /^(?:kind|contexts):/m.test(text) ? OPEN : new Set<string>(), anchors: new Set<string>() };
  try {
    const tokens = [...new Parser().parse(Buffer.from(text, 'latin1').toString())];
    if (tokens.some(({ type }) => type === 'error')) return undefined;
    const documents = [...new Composer(PARSING).compose(tokens)];
    const contents = documents.map((document) => document.contents as Node | null);
    const isBroken = documents.some(({ errors }) => errors.length > 0);
    if (isBroken || contents.some((one) => one !== null && !isCollection(one) && !isEmpty(one))) return undefined;
    return contents.flatMap((one) => textsIn(one, file, false));
  } catch {
    return undefined;
  }
}

const isEmpty = (node: Node): boolean => isScalar(node) && node.value === null;

interface File {
  readonly open: ReadonlySet<string>;
  /** What was named so far. */
  readonly anchors: Set<string>;
}

/**
 * An alias says nothing that its anchor does not, which may be secret where it is used. Throws for one without anchor:
 * it is no YAML, but a text with a star.
 */
function textsIn(node: unknown, file: File, inOpen: boolean): readonly string[] {
  if (isAlias(node) && !file.anchors.has(node.source)) throw new Error('nothing has this name');
  if (!isCollection(node) && !isScalar(node)) return [];
  if (node.anchor !== undefined) file.anchors.add(node.anchor);
  const isOpen = inOpen && node.anchor === undefined;
  if (isMap(node)) {
    const keys = node.items.flatMap(({ key }) => (isScalar(key) ? [key.value] : []));
    if (new Set(keys).size < keys.length) throw new Error('two keys are equal');
    return node.items.flatMap(({ key, value }) =>
      textsIn(value, file, isScalar(key) && file.open.has(String(key.value))),
    );
  }
  if (isCollection(node)) return node.items.flatMap((item) => textsIn(item, file, isOpen));
  if (isOpen) return [];
  if (typeof node.value === 'number') return [String(node.value)];
  return typeof node.value === 'string' ? [latin1(node.value), ...decodedIn(node.value)] : [];
}

/** User and password of a registry are one text in base64. */
function decodedIn(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'base64');
  const text = bytes.toString('latin1');
  return bytes.toString('base64') === value && /^[\x20-\x7E\s]{6,}$/.test(text) ? [text] : [];
}
