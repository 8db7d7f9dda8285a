/** Files that are no YAML are named as what they are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { placeText } from './place.ts';
import { filesAt, readObjects, readPlaced } from './read-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const CLAIM = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';

function written(bytes: string | Buffer): string {
  const path = join(folder, 'file.yaml');
  writeFileSync(path, bytes);
  return path;
}

test.for([
  ['with a mark of UTF-8', Buffer.from(`\uFEFF${CLAIM}`)],
  ['with line endings of Windows', CLAIM.replaceAll('\n', '\r\n')],
  [
    'of JSON that is indented with tabs',
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, null, '\t'),
  ],
] as const)('a file %s is read', ([, bytes]) => {
  expect(readObjects([written(bytes)])).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'a' } }]);
});

test.for([
  ['of UTF-16', Buffer.from(`\uFEFF${CLAIM}`, 'utf16le'), 'it is text in UTF-16, as older PowerShells write it'],
  ['of UTF-16 with the other order', Buffer.from(`\uFEFF${CLAIM}`, 'utf16le').swap16(), 'it is text in UTF-16, '],
  ['of UTF-16 without its mark', Buffer.from(CLAIM, 'utf16le'), 'it is no text'],
  ['of a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), 'it is no text'],
  ['of letters of an older encoding', Buffer.from(`${CLAIM}# caf\u00E9\n`, 'latin1'), 'it is no text'],
] as const)('a file %s is not, and the line says why', ([, bytes, said]) => {
  const path = written(bytes);
  expect(() => readObjects([path])).toThrow(`cannot read "${path}": ${said}`);
  expect(() => readObjects([path])).toThrow(/; accepted: YAML in UTF-8$/);
});

test('marks of UTF-8 within files that were put together are no part of a key', () => {
  expect(readObjects([written(`${CLAIM}---\n\uFEFF${CLAIM}`)])).toHaveLength(2);
});

const LIST = 'apiVersion: v1\nkind: List\n';

test('the objects of a list have places of their own', () => {
  const path = written(`${LIST}items:\n${`- ${CLAIM.replaceAll('\n', '\n  ').trimEnd()}\n`.repeat(2)}`);
  expect(readPlaced([path]).map(({ place }) => placeText(place))).toEqual([`"${path}", line 4`, `"${path}", line 7`]);
});

test.for([
  ['{}', 'items is an object; accepted: a list of Kubernetes objects'],
  ['a', 'items is "a"; accepted: a list of Kubernetes objects'],
  ['[null]', 'apiVersion is required; accepted: Kubernetes objects, with apiVersion as text'],
] as const)('a list with items %s is not read, and the line says why', ([items, said]) => {
  const path = written(`${LIST}items: ${items}\n`);
  expect(() => readObjects([path])).toThrow(said);
});

describe('a name that YAML reads as a number or a switch is told in quotes', () => {
  const named = (kind: string, name: string) =>
    written(
      `apiVersion: ${kind === 'ConfigMap' ? 'v1' : 'slipway.dev/v1alpha1'}\nkind: ${kind}\nmetadata:\n  name: ${name}\n`,
    );

  test.for([
    ['Cluster', '123', 'InvalidClaim', 'cannot accept Cluster "123": '],
    ['NodePool', 'true', 'InvalidClaim', 'cannot accept NodePool "true": '],
    ['ConfigMap', '123', 'UnknownSubject', 'cannot use PLACE: '],
    // As they are written, not as YAML reads them.
    ['Cluster', '007', 'InvalidClaim', 'cannot accept Cluster "007": '],
    ['Cluster', '1e3', 'InvalidClaim', 'cannot accept Cluster "1e3": '],
    ['NodePool', '0x10', 'InvalidClaim', 'cannot accept NodePool "0x10": '],
    ['ConfigMap', '1.30', 'UnknownSubject', 'cannot use PLACE: '],
    ['ConfigMap', 'TRUE', 'UnknownSubject', 'cannot use PLACE: '],
  ] as const)('%s %s: %s', ([kind, name, code, who]) => {
    const path = named(kind, name);
    const place = `"${path}", line 4`;
    const message = `${who.replace('PLACE', place)}metadata.name: ${name} is not accepted; accepted: a string in quotes: name: "${name}"`;
    const hint = code === 'InvalidClaim' ? `in ${place}` : undefined;
    expect(() => readObjects([path])).toThrow(message);
    expect(() => readObjects([path])).toThrow(expect.objectContaining({ code, hint }) as Error);
  });
});

test.for([
  ['slipway.dev/v1alpha1', 'Cluster', '007', 'cannot accept Cluster "007/a": '],
  ['v1', 'ConfigMap', '1e3', ', line 3: '],
] as const)('so is a namespace: of %s %s', ([apiVersion, kind, namespace, who]) => {
  const path = written(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a, namespace: ${namespace} }\n`);
  expect(() => readObjects([path])).toThrow(
    `${who}metadata.namespace: ${namespace} is not accepted; accepted: a string in quotes: namespace: "${namespace}"`,
  );
});

test('a namespace that is empty is none', () => {
  expect(readObjects([written('apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace:\n')])).toHaveLength(1);
});

test('a list without items is not read, an empty one has no object, and a kind that ends in List is an object', () => {
  expect(() => readObjects([written(LIST)])).toThrow('items is required; accepted: a list of Kubernetes objects');
  expect(readObjects([written(`${LIST}items:\n`)])).toEqual([]);
  expect(readObjects([written(`${LIST}items: []\n`)])).toEqual([]);
  expect(readObjects([written(CLAIM.replace('ConfigMap', 'AllowList'))])).toHaveLength(1);
});

test.for([
  ['https://example.org/a.yaml', 'it is a URL; accepted: a file, a folder, or - for standard input'],
  ['https://user:secret@example.org/a.yaml', 'it is a URL; accepted: a file, a folder, or - for standard input'],
  ['oci://example.org/a', 'it is a URL; accepted: a file, a folder, or - for standard input'],
  ['a.yaml,b.yaml', 'no such file or folder; accepted: one file or folder after each -f'],
] as const)('"%s" is no file, and the line says what it is', ([path, said]) => {
  for (const read of [() => readObjects([path]), () => filesAt(path)]) {
    expect(read).toThrow(`: ${said}`);
    expect(read).not.toThrow('secret');
  }
});

test('of a folder, files of YAML and JSON are read, and no JSON of other programs', () => {
  const inside = join(folder, 'several');
  mkdirSync(inside);
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  const claim = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const files = {
    'a.json': json(claim),
    'b.yaml': CLAIM,
    'c.yml': CLAIM,
    'list.json': json({ apiVersion: 'v1', kind: 'List', items: [claim] }),
    'package.json': json({ name: 'a', version: '1' }),
    'values.json': json(['a']),
    '.editor.json': '// settings\n{ "tabs": false, }\n',
    'tasks.json': '{ /* "apiVersion": */ "tasks": [{ "kind": "build", "apiVersion": "2", }], }\n',
    'answer.json': json({ kind: 'storage#object', name: 'a' }),
    'README.md': '# a',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(inside, name), text);
  const names = ['a.json', 'b.yaml', 'c.yml', 'list.json'];
  expect(filesAt(inside)).toEqual(names.map((name) => join(inside, name)));
  expect(readObjects([inside])).toHaveLength(names.length);
  // What cannot be read may be a claim.
  writeFileSync(join(inside, 'broken.json'), '{"apiVersion":');
  expect(() => readObjects([inside])).toThrow('broken.json');
  for (const [missing, text] of [
    ['kind', json({ apiVersion: 'v1', metadata: { name: 'a' } })],
    ['apiVersion', json({ kind: 'ConfigMap', metadata: { name: 'a' } })],
  ]) {
    writeFileSync(join(inside, 'broken.json'), text ?? '');
    expect(() => readObjects([inside])).toThrow(`${missing} is required`);
  }
});
