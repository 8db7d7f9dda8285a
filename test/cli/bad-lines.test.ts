/** Command lines that nobody meant: each is answered with one calm line, what to do, and the exit code of its kind. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT, slipway } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
writeFileSync(join(folder, 'note.txt'), 'hello\n');

const SHOP = 'docs/tutorial/shop.yaml';
const NOTE = join(folder, 'note.txt');
const BESIDE = join(NOTE, 'x.yaml');

/** A list of one line, in which an object is twice. */
const TWICE = join(mkdtempSync(join(folder, 'of-')), 'twice.json');
const NAMED = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}';
writeFileSync(TWICE, `{"apiVersion":"v1","kind":"List","items":[${NAMED},${NAMED}]}\n`);

const NO_FILE = /: no file given; accepted: files and folders with claims, or - for standard input/;
const EMPTY = /^cannot read "": the path is empty; accepted: a file, a folder, or - for standard input$/;
const NOTHING_IN_IT = /^cannot use folder ".*": it has no file of objects that ends in /;

/** With what the line says after `slipway: `. */
const LINES: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  // The same file twice.
  [['validate', SHOP, SHOP], /^cannot validate "docs.*shop.yaml": it is given twice; accepted: each file once$/],
  [['validate', '-f', SHOP, '-f', SHOP], /: it is given twice; accepted: each file once$/],
  [['validate', '-f', SHOP, `./${SHOP}`], /: it is in ".*", line 1, and again in ".*", line 1; accepted: each object/],
  [
    ['validate', SHOP, TWICE],
    /^cannot validate ConfigMap "a": it is in ".*twice\.json", line 1, twice; accepted: each object once$/,
  ],
  [['plan', SHOP, TWICE, TWICE], /^cannot plan ConfigMap "a": it is in ".*twice\.json", line 1, twice; /],
  // Empty texts, as of a variable that is not set.
  [['validate', '-f', ''], EMPTY],
  [['validate', ''], EMPTY],
  [['plan', SHOP, '--observed', ''], EMPTY],
  [['simulate', SHOP, '--apply', '@5m'], /^cannot accept --apply "@5m": accepted: FILE@TIME such as /],
  [['validate', SHOP, '--output-file', ''], /^cannot write "": the path is empty; accepted: a file$/],
  [['validate', SHOP, '-o', ''], /^cannot accept --output "": accepted: table, json, yaml$/],
  [['simulate', SHOP, '--fail', ''], /^cannot accept --fail "": accepted: rate-limits=SHARE, /],
  [['plan', SHOP, '--now', ''], /^cannot accept --now "": accepted: a time such as /],
  [['plan', '--delete', ''], /^cannot accept --delete "": accepted: KIND\/NAME or /],
  [['describe', ''], /^cannot describe "": accepted: Cluster, NodePool, Machine$/],
  [['describe', 'cluster', ''], /^cannot describe cluster: no name given; accepted: KIND NAME, /],
  [
    ['describe', 'cluster', 'shop', SHOP, '-n', ''],
    /^cannot accept --namespace "": accepted: the name of a namespace, of lower-case letters, digits and -$/,
  ],
  [['validate', SHOP, '-n', 'Team A'], /^cannot accept --namespace "Team A": accepted: the name of a namespace, /],
  [['simulate', SHOP, '--function', '='], /^cannot accept --function "=": accepted: NAME=HOST:PORT such as /],
  [[''], /^unknown command "": accepted: simulate, /],
  // Two dashes, and options after them.
  [['validate', '--'], NO_FILE],
  [['validate', '--', '-f', SHOP], /^cannot read "-f": no such file or folder; accepted: options before --, and files/],
  // Commands and options that are nearly there, or of another command.
  [['validte', SHOP], /^unknown command "validte"; did you mean "validate"\?$/],
  [['Validate', SHOP], /; did you mean "validate"\?$/],
  [['validate', '--seed', '1', SHOP], /^unknown option "--seed": it is an option of simulate, describe, payload$/],
  [['matrix', '-f', SHOP], /^unknown option "-f": it is an option of simulate, /],
  [
    ['validate', SHOP, '-o=json'],
    /^cannot accept --output "=json": accepted: table, json, yaml; did you mean "json"\?$/,
  ],
  [['validate', SHOP, '--debug=1'], /^unknown option "--debug=1"; did you mean "--debug"\?$/],
  [['-x'], /^unknown option "-x"$/],
  [['completion', 'bash', 'zsh'], /^cannot accept "zsh" after completion: accepted: shell, and options$/],
  [['matrix', '--output-file'], /^cannot accept --output-file without a value: accepted: --output-file <file>$/],
  // Options twice: the last one counts.
  [['validate', SHOP, '-o', 'json', '-o', 'jsn'], /^cannot accept --output "jsn": .*; did you mean "json"\?$/],
  [['simulate', SHOP, '--seed', '1', '--seed', 'x'], /^cannot accept --seed "x": accepted: a whole number from 0/],
  // Values of another form.
  [['simulate', SHOP, '--seed', '-1'], /^cannot accept --seed "-1": accepted: a whole number from 0/],
  [['simulate', SHOP, '--for', '-5m'], /^cannot accept --for "-5m": accepted: a duration such as /],
  [['simulate', SHOP, '--apply', `${SHOP}@`], /^cannot accept --apply ".*@": accepted: a duration such as /],
  [['simulate', SHOP, '--delete', 'cl//shop@5m'], /^cannot accept --delete "cl\/\/shop@5m": accepted: KIND\/NAME or /],
  [
    ['plan', '--delete', 'Machine/shop-general-0-ft9wh'],
    /": accepted: Cluster, NodePool; a pool replaces a machine that kubectl delete machine\.slipway\.dev deletes: slipway simulate --delete Machine\/NAME@TIME plays it$/,
  ],
  [['plan', '--delete', 'ma'], /": accepted: Cluster, NodePool; a pool replaces a machine /],
  [['plan', '--delete', 'pod/x'], /^cannot accept --delete "pod\/x": accepted: Cluster, NodePool$/],
  [['describe', 'cluster/', SHOP], /^cannot describe "cluster\/": accepted: KIND NAME, /],
  [['functions', '--base-port', '0'], /^cannot accept --base-port "0": accepted: a port from /],
  // A folder for a file, a file for a folder, and files of another kind.
  [['validate', SHOP, '--output-file', folder], /^cannot write ".*": it is a folder$/],
  [['simulate', SHOP, '--save', `${folder}/`], /^cannot write ".*\/": it is a folder$/],
  [['validate', SHOP, '--output-file', BESIDE], /^cannot write ".*": a part of its path is not a folder$/],
  [['validate', SHOP, '--output-file', SHOP], /^cannot write ".*": the command reads it; accepted: another file$/],
  [['simulate', SHOP, '--apply', `${folder}@5m`], NOTHING_IN_IT],
  [['plan', SHOP, '--observed', folder], NOTHING_IN_IT],
  [['simulate', SHOP, '--compositions', NOTE], /": it is a file; accepted: a folder with Compositions, /],
  [['plan', SHOP, '--kubeconfig', folder], /^cannot read kubeconfig ".*": it is a folder$/],
  [['payload', '--secret', SHOP], /": it has no Secret; accepted: a payload Secret, /],
  [
    ['render', SHOP, 'compositions/aws/cluster.yaml'],
    /": it has 2 objects \(Cluster shop, NodePool shop-general\); accepted: a file with exactly one$/,
  ],
  [
    ['render', 'compositions/aws/cluster.yaml', SHOP],
    /": it is a Composition; accepted: a file with one claim, then one with a Composition: render docs\/tutorial\/shop.yaml compositions/,
  ],
  [
    ['describe', SHOP],
    /": it is a path; accepted: Cluster\/shop docs\/tutorial\/shop.yaml or NodePool\/shop-general docs\/tutorial\/shop.yaml$/,
  ],
  [['describe', SHOP, 'cluster', 'shop'], /": it is a path; accepted: Cluster\/shop docs\/tutorial\/shop.yaml or /],
  [
    ['describe', 'nodepools', SHOP],
    /^cannot describe nodepools: no name given, and "docs\/tutorial\/shop.yaml" is a path; accepted: NodePool\/shop-general docs/,
  ],
  [['simulate', NOTE], /", line 1: apiVersion is required; accepted: Kubernetes objects, /],
  // Signs that a terminal obeys are left out.
  [['validate', SHOP, '\u001B[31m'], /^cannot read " \[31m": no such file or folder$/],
  [['validate', 'x\u0000y'], /^cannot read "x y": no such file or folder$/],
];

test.for(LINES)('slipway %j', async ([args, says]) => {
  const { code, stdout, stderr } = await slipway(...args);
  const [line = '', ...below] = stderr.trimEnd().split('\n');
  expect(line.replace(/^slipway: /, '')).toMatch(says);
  expect(line.startsWith('slipway: ')).toBe(true);
  expect(
    below.filter((text) => !text.startsWith('  ')),
    'a second line says where help is',
  ).toEqual([]);
  expect(below.length).toBeLessThan(2);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

const isPosix = process.platform !== 'win32';
if (!isPosix) process.stdout.write('skipped: a closed standard input: the shell of this system cannot close it\n');
test.skipIf(!isPosix)('a standard input that is closed is one line, too', () => {
  const run = spawnSync('bash', ['-c', `"${process.execPath}" cli/main.ts validate - <&-`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(run.stderr).toMatch(/^slipway: cannot (?:read|validate) [^\n]*\n$/);
  expect(run.status).toBe(2);
});
