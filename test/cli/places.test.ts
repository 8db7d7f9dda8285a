/** What is refused is named with the file and the line that its author has to mend, by every command that judges claims. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { ROOT, slipway, slipwayOn } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SHOP = readFileSync(join(ROOT, 'docs/tutorial/shop.yaml'), 'utf8');

const namespaceLines = SHOP.split('\n').flatMap((line, i) => (line.includes('namespace: team-b') ? [i + 1] : []));

/** The claims of the tutorial with a mistake. */
function written(name: string, ...edits: readonly (readonly [from: string, to: string])[]): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    edits.reduce((text, [from, to]) => text.replace(from, to), SHOP),
  );
  return path;
}

/** The line of a text, from 1. */
function lineOf(path: string, text: string): number {
  return (
    readFileSync(path, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1
  );
}

const BY_API = written('api.yaml', ['replicas: 2', 'replicas: -2']);
const BY_FUNCTION = written('function.yaml', ['region: eu-west', 'region: atlantis']);
/** What its pool gets from it. */
const OF_CLUSTER = written(
  'cluster.yaml',
  ['{ format: cloud-init }', '{ users: [{ name: ops, sudo: ALL=(ALL) ALL }] }'],
  [
    'replicas: 2\n  machine: { class: standard-2',
    'replicas: 2\n  provisioning: { format: cloudbase-init }\n  machine: { os: windows, image: ami-0123456789abcdef0, class: standard-2',
  ],
);
const OF_KIND = written('kind.yaml', ['kind: NodePool', 'kind: NodePol']);
const FLAVOR = written('flavor.yaml', [
  'crossplane: { compositionSelector: { matchLabels: { slipway.dev/flavor: aws } } }',
  'crossplane:\n    compositionSelector:\n      matchLabels:\n        slipway.dev/flavor: AWS',
]);
const LABEL = written('label.yaml', ['{ slipway.dev/flavor: aws }', '{ slipway.dev/flavour: aws }']);
const COMPOSITION = written('composition.yaml', [
  '{ compositionSelector: { matchLabels: { slipway.dev/flavor: aws } } }',
  '{ compositionRef: { name: clusters.asw.slipway.dev } }',
]);
const ABSENT = written('absent.yaml', ['clusterRef: { name: shop }', 'clusterRef: { name: shpo }']);

test.for([
  { what: 'a field that the API refuses', command: 'validate', path: BY_API, text: 'replicas: -2' },
  { what: 'a field that the API refuses', command: 'simulate', path: BY_API, text: 'replicas: -2' },
  { what: 'a field that a function refuses', command: 'validate', path: BY_FUNCTION, text: 'atlantis' },
  { what: 'a field that a function refuses', command: 'simulate', path: BY_FUNCTION, text: 'atlantis' },
  { what: 'a field of the Cluster of a pool', command: 'validate', path: OF_CLUSTER, text: 'sudo' },
  { what: 'a flavour that no Composition has', command: 'validate', path: FLAVOR, text: 'flavor: AWS' },
  { what: 'a label that no Composition has', command: 'validate', path: LABEL, text: 'flavour' },
  { what: 'the name of no Composition', command: 'validate', path: COMPOSITION, text: 'asw' },
  { what: 'the name of no Cluster', command: 'simulate', path: ABSENT, text: 'shpo' },
  { what: 'a kind', command: 'validate', path: OF_KIND, text: 'NodePol' },
  { what: 'a flavour that no Composition has', command: 'plan', path: FLAVOR, text: 'flavor: AWS' },
  { what: 'a label that no Composition has', command: 'plan', path: LABEL, text: 'flavour' },
  { what: 'the name of no Composition', command: 'plan', path: COMPOSITION, text: 'asw' },
  { what: 'a kind', command: 'plan', path: OF_KIND, text: 'NodePol' },
  { what: 'a kind', command: 'simulate', path: OF_KIND, text: 'NodePol' },
])('below $what, slipway $command says the place', async ({ command, path, text }) => {
  const { stdout, stderr } = await slipway(command, path);
  expect(`${stdout}${stderr}`.split('\n')).toContain(`  in "${path}", line ${lineOf(path, text)}`);
});

test.for([
  { command: 'plan', path: BY_API, text: 'replicas: -2', more: [] },
  { command: 'plan', path: BY_FUNCTION, text: 'atlantis', more: [] },
  { command: 'plan', path: OF_CLUSTER, text: 'sudo', more: [] },
  { command: 'plan', path: BY_FUNCTION, text: 'atlantis', more: ['-o', 'markdown'] },
])('slipway $command $more says it in the line of the claim', async ({ command, path, text, more }) => {
  const { stdout } = await slipway(command, path, ...more);
  expect(stdout).toMatch(new RegExp(`Refused.*in "${path}", line ${lineOf(path, text)}\\b`));
});

describe('programs get the file and the line', () => {
  interface Facts {
    readonly refused?: readonly object[];
    readonly entries?: readonly object[];
    readonly reasons?: readonly object[];
  }
  it.for([
    { command: 'validate', path: BY_API, text: 'replicas: -2' },
    { command: 'validate', path: BY_FUNCTION, text: 'atlantis' },
    { command: 'validate', path: FLAVOR, text: 'flavor: AWS' },
    { command: 'plan', path: BY_API, text: 'replicas: -2' },
    { command: 'simulate', path: ABSENT, text: 'shpo' },
    { command: 'simulate', path: BY_FUNCTION, text: 'atlantis' },
  ])('of slipway $command', async ({ command, path, text }) => {
    const facts = JSON.parse((await slipway(command, path, '-o', 'json')).stdout) as Facts;
    const found = facts.refused ?? facts.entries ?? facts.reasons ?? [];
    expect(found).toContainEqual(expect.objectContaining({ file: path, line: lineOf(path, text) }));
  });
});

describe('what is wrong in an EnvironmentConfig, which its claims read', () => {
  const config = (name: string, data: string): string => {
    const path = join(folder, name);
    const head = 'apiVersion: apiextensions.crossplane.io/v1beta1\nkind: EnvironmentConfig\n';
    writeFileSync(path, `${head}metadata: { name: slipway-aws }\ndata:\n  defaultImage: ours\n${data}`);
    return path;
  };
  const key = config('key.yaml', '  class:\n    huge: m7i.48xlarge\n');
  const type = config('type.yaml', '  classes:\n    huge: 7\n');

  it.for(
    ['validate', 'plan', 'simulate'].flatMap((command) => [
      { command, path: key, line: 6, said: /data\.class\b.*unknown field; .*; did you mean "classes"\?/ },
      {
        command,
        path: type,
        line: 7,
        said: /data\.classes\.huge\b.*7 is not accepted; accepted: a string in quotes: "7"/,
      },
    ]),
  )('is told by slipway $command in the line of its file: $line', async ({ command, path, line, said }) => {
    const { stdout } = await slipway(command, 'docs/tutorial/shop.yaml', path);
    expect(stdout).toMatch(said);
    expect(stdout).toContain(`in "${path}", line ${line}\n`);
    expect(stdout).not.toContain('in "docs/tutorial/shop.yaml"');
  });
});

describe('a value that YAML reads as another is told as it is written', () => {
  const path = written(
    'numbers.yaml',
    ['version: v1.37.1', 'version: 1.30'],
    ['region: eu-west', 'region: 007'],
    ['class: standard-2', 'class: 0x10'],
    ['replicas: 2', 'replicas: -2.50'],
    ['namespace: team-b', 'labels: { a: 1e3, b: TRUE, c: 5 }, namespace: team-b'],
  );
  const said: readonly (readonly [field: string, reason: string])[] = [
    ['metadata.labels.a', '1e3 is not accepted; accepted: a string in quotes: "1e3"'],
    ['metadata.labels.b', 'TRUE is not accepted; accepted: a string in quotes: "TRUE"'],
    ['metadata.labels.c', '5 is not accepted; accepted: a string in quotes: "5"'],
    ['spec.controlPlane.machine.class', '0x10 is not accepted; accepted: a string in quotes: "0x10"'],
    ['spec.region', '007 is not accepted; accepted: a string in quotes: "007"'],
    ['spec.version', '1.30 is not accepted; accepted: v1.<minor>.<patch> such as v1.37.1'],
  ];

  it.for([{ command: 'validate' }, { command: 'simulate' }])('by slipway $command', async ({ command }) => {
    const { stdout, stderr } = await slipway(command, path);
    for (const [field, reason] of said)
      expect(`${stdout}${stderr}`).toContain(`cannot accept Cluster "team-b/shop": ${field}: ${reason}\n`);
    expect(`${stdout}${stderr}`).toContain(': spec.replicas: -2.50 is not accepted; accepted: ');
  });

  const SUM = '0123456789'.repeat(6) + '0123';
  it.for(
    ['validate', 'plan'].flatMap((command) => [
      { command, provider: 'k3s', config: `{ installer: { sha256: ${SUM} } }` },
      { command, provider: 'rke2', config: `{ installer: { sha256: ${SUM} } }` },
      { command, provider: 'k0s', config: `{ download: { sha256: { amd64: ${SUM} } } }` },
    ]),
  )('by slipway $command, also a checksum of digits, for $provider', async ({ command, provider, config }) => {
    const digits = written(`${provider}.yaml`, ['provider: kubeadm', `provider: ${provider}, config: ${config}`]);
    const { stdout } = await slipway(command, digits);
    expect(stdout).toContain(`${SUM} is not accepted; accepted: 64 hexadecimal digits, in quotes`);
    expect(stdout).toContain(`in "${digits}", line ${lineOf(digits, SUM)}`);
  });

  it('by slipway plan, as what is wanted, too', async () => {
    const { stdout } = await slipway('plan', path, '-o', 'json');
    const { entries } = JSON.parse(stdout) as { readonly entries: readonly Readonly<Record<string, unknown>>[] };
    for (const [field, reason] of said)
      expect(entries).toContainEqual(
        expect.objectContaining({ kind: 'Cluster', field, reason, new: reason.split(' ')[0] }),
      );
  });
});

test('an edit that is refused is named in its own file', async () => {
  const { stderr } = await slipway('simulate', 'docs/tutorial/shop.yaml', '--apply', `${BY_API}@1m`);
  expect(stderr.split('\n')).toContain(`  in "${BY_API}", line ${lineOf(BY_API, 'replicas: -2')}`);
});

test('of an edit that a function refuses later, the edit is named', async () => {
  const edit = written('edit.yaml', [
    'replicas: 2\n  machine: { class: standard-2',
    'replicas: 2\n  machine: { class: x-2',
  ]);
  const { stdout } = await slipway('simulate', 'docs/tutorial/shop.yaml', '--apply', `${edit}@1m`, '--for', '10m');
  expect(stdout).toContain(`\n  in "${edit}", line ${lineOf(edit, 'x-2')}\n`);
});

test('a claim that waits for what is in no file is named, whatever it waits for', async () => {
  const { stdout } = await slipway('simulate', ABSENT);
  expect(stdout).toMatch(
    /^Not ready: NodePool shop-general: waiting for Cluster "team-b\/shpo": not accepted yet, or not found.*\n {2}in /m,
  );
});

test('a note on a Cluster that is in no file says where it is named', async () => {
  const { code, stderr } = await slipway('validate', ABSENT);
  expect(stderr).toContain(
    `"team-b/shpo" is in no file; did you mean "shop"? (in "${ABSENT}", line ${lineOf(ABSENT, 'shpo')})`,
  );
  expect(code).toBe(0);
});

test('the same reason of several claims has their places together', async () => {
  const more = SHOP.slice(SHOP.indexOf('---')).replace('shop-general', 'shop-more');
  const path = written('two.yaml', [SHOP, `${SHOP}${more}`.replaceAll('replicas: 2', 'replicas: -2')]);
  const { stdout } = await slipway('validate', path);
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.flatMap((line, i) => (line.includes('replicas: -2') ? [i + 1] : []));
  expect(stdout.split('\n')[1]).toBe(`  in "${path}", lines ${at.join(', ')}`);
});

test('on a narrow terminal the place keeps its indentation', async () => {
  const { stdout } = await slipwayOn({ columns: 40, noColor: '1' }, 'validate', BY_API);
  expect(stdout).toMatch(/\n {2}in "/);
});

describe('with --namespace, as with kubectl, objects without a namespace are in that one', () => {
  const bare = written('bare.yaml', [', namespace: team-b', ''], [', namespace: team-b', '']);
  const hosts = join(folder, 'hosts.yaml');
  const HOST = 'apiVersion: node.slipway.dev/v1alpha1\nkind: Host\nmetadata: { name: a }\n';
  writeFileSync(hosts, `${HOST}spec: { size: standard-2, failureDomain: rack-1 }\n`);
  const secret = join(folder, 'secret.yaml');
  writeFileSync(secret, 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\nstringData: { a: secret }\n');
  const own = join(folder, 'namespace.yaml');
  writeFileSync(own, 'apiVersion: v1\nkind: Namespace\nmetadata: { name: team-x }\n');
  const live = written(
    'live.yaml',
    ['{ name: shop, ', '{ name: shop, uid: a, '],
    ['{ name: shop-general, ', '{ name: shop-general, uid: b, '],
  );
  const needed =
    'metadata.namespace: is required; accepted: a namespace, here or with --namespace NAME, since only kubectl knows that of its context';

  it.for([
    { words: ['validate'], said: 'team-x/shop' },
    { words: ['simulate'], said: 'team-x/shop' },
    { words: ['plan'], said: 'it creates 2 machines' },
    { words: ['payload'], said: '#cloud-config' },
    { words: ['describe', 'cluster', 'shop'], said: 'Machine shop-general-1-' },
  ])('of slipway $words, which says so where there is none', async ({ words, said }) => {
    const without = await slipway(...words, bare);
    expect(`${without.stdout}${without.stderr}`).toContain(needed.slice('metadata.namespace: '.length));
    const { code, stdout, stderr } = await slipway(...words, bare, hosts, secret, own, '-n', 'team-x');
    expect(code, stderr).toBe(words.includes('plan') ? 10 : 0);
    expect(`${stdout}${stderr}`).toContain(said);
  });

  it('and plan deletes them there', async () => {
    const { stderr } = await slipway('plan', '--delete', bare, '-n', 'team-x', '--observed', live);
    expect(stderr).toContain('cannot plan the deletion of Cluster "team-x/shop"');
  });

  it.for([
    { command: 'validate', path: hosts, who: 'Host "a"' },
    { command: 'simulate', path: hosts, who: 'Host "a"' },
    { command: 'simulate', path: secret, who: 'Secret "a"' },
  ])('without it, slipway $command says where $who is', async ({ command, path, who }) => {
    const { code, stdout, stderr } = await slipway(command, 'docs/tutorial/shop.yaml', path);
    expect(`${stdout}${stderr}`).toContain(`cannot accept ${who}: ${needed}\n  in "${path}", line 3\n`);
    expect(code).toBe(1);
  });

  it.for([
    { words: ['validate'], verb: 'validate' },
    { words: ['plan'], verb: 'plan' },
    { words: ['simulate'], verb: 'simulate' },
    { words: ['payload'], verb: 'simulate' },
    { words: ['simulate', bare, '--apply', 'docs/tutorial/shop.yaml@1m'], verb: 'apply' },
    { words: ['plan', '--delete'], verb: 'delete' },
  ])('slipway $words refuses what is in another', async ({ words, verb }) => {
    const files = words.includes('--apply') ? [] : ['docs/tutorial/shop.yaml'];
    const { code, stderr } = await slipway(...words, ...files, '-n', 'team-x');
    expect(stderr).toBe(
      `slipway: cannot ${verb} Cluster "team-b/shop" and 1 more: metadata.namespace: "team-b" is not accepted beside --namespace "team-x"; accepted: one namespace, in the file or with --namespace\n  in "docs/tutorial/shop.yaml", lines ${namespaceLines.join(', ')}\n`,
    );
    expect(code).toBe(2);
  });

  it('and a claim to delete that is named in another', async () => {
    const { code, stderr } = await slipway('plan', '--delete', 'Cluster/team-b/shop', '-n', 'team-x');
    expect(stderr).toContain('cannot accept --delete "Cluster/team-b/shop": --namespace is "team-x"; accepted: one ');
    expect(code).toBe(2);
  });

  it('but describe only chooses the object by it', async () => {
    const { stderr } = await slipway('describe', 'cluster', 'shop', 'docs/tutorial/shop.yaml', '-n', 'team-x');
    expect(stderr).toContain('there is no Cluster in namespace "team-x"; accepted namespaces: team-b');
  });
});
