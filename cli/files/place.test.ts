/** A field is named with the line that it is written in, however the YAML writes it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { placesText } from './place.ts';
import { readPlaced } from './read-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const FILE = join(folder, 'shop.yaml');

/** Lines of the objects of a text, or of a field of each. */
function linesOf(text: string, ...path: readonly (string | number)[]): readonly number[] {
  writeFileSync(FILE, text);
  return readPlaced([FILE]).map(({ placeOf }) => placeOf(path).line);
}

const HEAD = 'apiVersion: v1\nkind: A\nmetadata: { name: a }\n';

test.for<readonly [string, string, readonly (string | number)[], readonly number[]]>([
  ['of a map in lines', `${HEAD}spec:\n  size: 3\n`, ['spec', 'size'], [5]],
  ['of a map in signs', `${HEAD}spec: { a: 1,\n  size: 3 }\n`, ['spec', 'size'], [5]],
  ['in an item of a list', `${HEAD}spec:\n  - a: 1\n  - a: 2\n    b: 3\n`, ['spec', 1, 'b'], [7]],
  ['whose key has quotes', `${HEAD}spec:\n  "a/b": 3\n`, ['spec', 'a/b'], [5]],
  ['whose key YAML reads as a number', `${HEAD}spec:\n  1: 3\n`, ['spec', '1'], [5]],
  ['of JSON', '{"apiVersion": "v1", "kind": "A",\n"metadata":\n{"name": "a"}}', ['metadata', 'name'], [3]],
  ['of an anchor, where that is', `${HEAD}base: &b\n  size: 3\nspec: *b\n`, ['spec', 'size'], [5]],
  ['of a merged anchor: the object that gets it', `${HEAD}b: &b { size: 3 }\nspec:\n  <<: *b\n`, ['spec', 'size'], [5]],
  [
    'that is left out: the object around it',
    `${HEAD}spec:\n  machine:\n    a: 1\n`,
    ['spec', 'machine', 'b', 'c'],
    [5],
  ],
  ['of which nothing is written: the whole object', HEAD, ['spec', 'size'], [1]],
  ['below comments', `# a licence\n\n# of it\n${HEAD}`, [], [4]],
  ['of each document', `${HEAD}---\n# two\n${HEAD}spec:\n  size: 1\n`, ['spec', 'size'], [1, 10]],
  ['with line endings of Windows', `${HEAD}spec:\n  size: 3\n`.replaceAll('\n', '\r\n'), ['spec', 'size'], [5]],
  [
    'of the items of a list of objects',
    `apiVersion: v1\nkind: List\nitems:\n${`- ${HEAD}spec: {}\n`.replaceAll(/\n(?=.)/g, '\n  ').repeat(2)}`,
    ['spec'],
    [7, 11],
  ],
])('a field %s', ([, text, path, lines]) => {
  expect(linesOf(text, ...path)).toEqual(lines);
});

test.for([
  [[['a.yaml', 3]], 'in "a.yaml", line 3'],
  [[['-', 3]], 'in standard input, line 3'],
  [
    [
      ['a.yaml', 3],
      ['a.yaml', 12],
    ],
    'in "a.yaml", lines 3, 12',
  ],
  [
    [
      ['a.yaml', 3],
      ['b.yaml', 1],
    ],
    'in "a.yaml", line 3; "b.yaml", line 1',
  ],
  // What all claims read is wrong once.
  [['a.yaml', 'a.yaml', 'a.yaml', 'a.yaml'].map((file) => [file, 3] as const), 'in "a.yaml", line 3'],
  [
    [
      ['a.yaml', 1],
      ['a.yaml', 2],
      ['a.yaml', 3],
      ['a.yaml', 4],
      ['b.yaml', 1],
    ],
    'in "a.yaml", lines 1, 2, 3 and 2 more',
  ],
] as const)('places %j are said as %s', ([places, said]) => {
  expect(placesText(places.map(([file, line]) => ({ file, line })))).toBe(said);
});
