/** A file that is no YAML hides no other: each broken one is told at its line, in one round, and the rest is judged. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { ROOT, slipway } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SHOP = readFileSync(join(ROOT, 'docs/tutorial/shop.yaml'), 'utf8');
const NO_YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a\n';
const NO_NAME = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n';

/** A folder with these files. */
function folderOf(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const SEVERAL = folderOf('several', {
  'a.yaml': NO_YAML,
  'b.yaml': SHOP.replace('replicas: 2', 'replicas: -2'),
  'c.yml': `${NO_NAME}---\n${NO_NAME}`,
  'd.json': Buffer.from('{}', 'utf16le'),
  'e.yaml': SHOP.slice(SHOP.indexOf('---')).replace('shop-general', 'shop-more').replace('standard-2', 'standard-0'),
});

/** What is said of each, in the order of the folder. */
const BROKEN = [
  [`cannot read "${join(SEVERAL, 'a.yaml')}": line 3: `, 'a map that begins with { does not end'],
  [`cannot use "${join(SEVERAL, 'c.yml')}", line 1: `, 'metadata.name is required'],
  [`cannot use "${join(SEVERAL, 'c.yml')}", line 5: `, 'metadata.name is required'],
  [`cannot read "${join(SEVERAL, 'd.json')}": `, 'it is no text'],
] as const;
const SAID = BROKEN.map(([begin, cause]) => expect.stringContaining(`slipway: ${begin}${cause}`) as string);
const FILES = ['a.yaml', 'b.yaml', 'c.yml', 'd.json', 'e.yaml'].map((name) => join(SEVERAL, name));

describe('slipway validate tells each broken file and judges the others', () => {
  it.for([
    { given: 'a folder', args: [SEVERAL] },
    { given: 'files', args: FILES },
  ])('of $given', async ({ args }) => {
    const { code, stdout, stderr } = await slipway('validate', ...args);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 5)).toEqual([
      ...SAID,
      expect.stringMatching(/^slipway: the rest was judged without what could not be read: /),
    ]);
    expect(stdout).toContain('cannot accept NodePool "team-b/shop-general": spec.replicas: -2 ');
    expect(stdout).toContain('cannot accept NodePool "team-b/shop-more": spec.machine.class: ');
    expect(stdout).toMatch(/\n3 claims: 2 refused; not read: 4\n$/);
    expect(code, 'not everything was judged').toBe(2);
  });

  it('where nothing else is refused, that is no success', async () => {
    const path = folderOf('sound', { 'a.yaml': NO_YAML, 'b.yaml': SHOP });
    const { code, stdout } = await slipway('validate', path);
    expect(stdout).toBe('2 claims: nothing is refused; not read: 1\n');
    expect(code).toBe(2);
  });

  it('to programs with the file and, where it is known, the line', async () => {
    const { stdout } = await slipway('validate', SEVERAL, '-o', 'json');
    const { refused, unread } = JSON.parse(stdout) as { readonly refused: readonly object[]; readonly unread: object };
    expect(refused).toHaveLength(2);
    expect(unread).toMatchObject([
      { file: join(SEVERAL, 'a.yaml'), line: 3 },
      { file: join(SEVERAL, 'c.yml'), line: 1 },
      { file: join(SEVERAL, 'c.yml'), line: 5 },
      { file: join(SEVERAL, 'd.json'), reason: expect.stringContaining('it is no text') as string },
    ]);
  });

  it('a name that is a number is a claim that is refused, with that exit code', async () => {
    const numbered = `${SHOP}${SHOP.slice(SHOP.indexOf('---')).replace('shop-general', '7')}`;
    const { code, stderr } = await slipway('validate', folderOf('numbered', { 'a.yaml': numbered }));
    expect(stderr).toMatch(
      /^slipway: cannot accept NodePool "team-b\/7": metadata\.name: 7 is not accepted; .*\n {2}in /,
    );
    expect(code).toBe(1);
  });
});

test('a path that gives no file ends at once: it is the command line that is to be mended', async () => {
  const { code, stdout, stderr } = await slipway('validate', SEVERAL, join(folder, 'nowhere.yaml'));
  expect(stderr).toBe(`slipway: cannot read "${join(folder, 'nowhere.yaml')}": no such file or folder\n`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.for([['plan'], ['simulate'], ['plan', '--delete'], ['payload'], ['describe', 'cluster', 'shop']])(
  'slipway %j names all broken files at once, and does nothing',
  async (words) => {
    const { code, stdout, stderr } = await slipway(...words, SEVERAL);
    expect(stderr.trimEnd().split('\n')).toEqual(SAID);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  },
);

test('of a folder of Compositions, too, all broken files are named', async () => {
  const path = folderOf('compositions', { 'a.yaml': NO_YAML, 'b.yaml': NO_YAML });
  const { code, stderr } = await slipway('validate', 'docs/tutorial/shop.yaml', '--compositions', path);
  const begin = `slipway: cannot accept --compositions "${path}": cannot read "${path}`;
  expect(stderr.trimEnd().split('\n')).toEqual(
    ['a.yaml', 'b.yaml'].map((name) => expect.stringContaining(`${begin}/${name}": line 3: `) as string),
  );
  expect(code).toBe(2);
});
