/** Answers of EC2, IAM and ELB: elements without attributes, lists of `item` or `member`. */

export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

const TOKEN = /<\?[^>]*\?>|<(?<close>\/)?(?<name>[\w:.-]+)[^>]*?(?<empty>\/)?>|(?<text>[^<]+)/g;

interface Open {
  readonly name: string;
  text: string;
  readonly children: Element[];
}

export function parsed(xml: string): Element {
  const root: Open = { name: '', text: '', children: [] };
  const open: Open[] = [root];
  for (const { groups: { close, name, empty, text } = {} } of xml.matchAll(TOKEN)) {
    const last = open.at(-1) ?? root;
    if (text !== undefined) last.text += text;
    if (name === undefined) continue;
    if (close !== undefined) {
      open.pop();
      continue;
    }
    const element: Open = { name, text: '', children: [] };
    last.children.push(element);
    if (empty === undefined) open.push(element);
  }
  return root.children[0] ?? root;
}

/** The first one at the path. */
export function child(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((from, name) => from?.children.find((one) => one.name === name), element);
}

export function textAt(element: Element | undefined, ...path: readonly string[]): string {
  return unescaped(child(element, ...path)?.text.trim() ?? '');
}

/** Entries of the list at the path. */
export function items(element: Element | undefined, ...path: readonly string[]): readonly Element[] {
  return child(element, ...path)?.children ?? [];
}

/** Such as tagSet: names and values. */
export function tagsOf(element: Element): ReadonlyMap<string, string> {
  return new Map(items(element, 'tagSet').map((tag) => [textAt(tag, 'key'), textAt(tag, 'value')]));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
