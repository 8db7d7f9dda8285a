import { existsSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { wordsOf } from '../../cli/completion/words.ts';
import { createProgram } from '../../cli/program.ts';
import { ROOT, slipway, start } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A file of zeros that takes no space. */
function sparse(name: string, bytes: number): string {
  const path = file(name, '');
  truncateSync(path, bytes);
  return path;
}

/** Ten times ten times ten … */
function bomb(): string {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const lines = keys.map(
    (key, i) =>
      `${key}: &${key} [${Array(10)
        .fill(i === 0 ? 'x' : `*${keys[i - 1]!}`)
        .join(', ')}]`,
  );
  return ['apiVersion: v1', 'kind: A', 'metadata: { name: a }', ...lines, ''].join('\n');
}

/** A folder of its own with this one file. @returns the folder */
function folderWith(name: string, text: string): string {
  const path = mkdtempSync(join(folder, 'with-'));
  writeFileSync(join(path, name), text);
  return path;
}

const POOL = 'apiVersion: slipway.dev/v1alpha1\nkind: NodePool\nmetadata: {name: more, namespace: team-a}\n';
const CONFIG =
  'apiVersion: apiextensions.crossplane.io/v1beta1\nkind: EnvironmentConfig\nmetadata: {name: slipway-aws}\n';
const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../base]\n';

/** The example claim with one text replaced by another. */
function claim(name: string, from: string | RegExp, to: string): string {
  return file(name, readFileSync(join(ROOT, 'examples/aws/cluster.yaml'), 'utf8').replace(from, to));
}

describe('help', () => {
  test.for([
    [],
    ['simulate'],
    ['validate'],
    ['describe'],
    ['payload'],
    ['plan'],
    ['render'],
    ['matrix'],
    ['functions'],
    ['completion'],
  ])('of "slipway %s" matches the golden file', async (command) => {
    const { code, stdout } = await slipway(...command, '--help');
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`golden/help-${command[0] ?? 'slipway'}.txt`);
  });
});

describe('an invalid command', () => {
  test.for([
    {
      name: 'an unknown command',
      args: ['simulat'],
      code: 2,
      line: 'slipway: unknown command "simulat"; did you mean "simulate"?',
    },
    ...[['nobody'], ['help', 'nobody'], ['nobody', '--help']].map((args) => ({
      name: `an unknown command: ${args.join(' ')}`,
      args,
      code: 2,
      line: 'slipway: unknown command "nobody": accepted: simulate, validate, describe, payload, plan, render, matrix, functions, completion',
      last: /\n {2}see slipway --help\n$/,
    })),
    ...[
      ['help', 'simulat'],
      ['simulat', '--help'],
    ].map((args) => ({
      name: `a misspelt command: ${args.join(' ')}`,
      args,
      code: 2,
      line: 'slipway: unknown command "simulat"; did you mean "simulate"?',
      last: /\n {2}see slipway --help\n$/,
    })),
    {
      name: 'no shell',
      args: ['completion'],
      code: 2,
      line: 'slipway: cannot print the completion script: no shell given; accepted: bash, zsh, fish',
      last: /\n {2}see slipway completion --help\n$/,
    },
    {
      name: 'no object to show: which kinds there are',
      args: ['describe'],
      code: 2,
      line: 'slipway: cannot describe: no kind given; accepted: cluster, nodepool or machine; or KIND/NAME, then without a name',
    },
    {
      name: 'an option without its value: which there are',
      args: ['matrix', '-o'],
      code: 2,
      line: 'slipway: cannot accept --output without a value: accepted: table, markdown, json',
    },
    {
      name: 'an option without its value: its form',
      args: ['simulate', 'examples/aws', '--seed'],
      code: 2,
      line: 'slipway: cannot accept --seed without a value: accepted: --seed <whole-number>',
    },
    {
      name: 'an argument too many',
      args: ['matrix', 'kubeadm'],
      code: 2,
      line: 'slipway: cannot accept "kubeadm" after matrix: accepted: options only',
    },
    {
      name: 'an unknown flag',
      args: ['simulate', 'examples/aws', '--sed', '1'],
      code: 2,
      line: 'slipway: unknown option "--sed"; did you mean "--seed"?',
    },
    {
      name: 'a seed that is not a number',
      args: ['simulate', 'examples/aws', '--seed', 'x'],
      code: 2,
      line: /cannot accept --seed "x": accepted: a whole number/,
    },
    {
      name: 'a folder of Compositions that does not exist',
      args: ['simulate', 'examples/aws', '--compositions', '/nowhere'],
      code: 2,
      line: /^slipway: cannot read "\/nowhere": no such file or folder$/m,
    },
    {
      name: 'a file to save to that cannot be written',
      args: ['simulate', 'examples/aws', '--save', '/nowhere/before.yaml'],
      code: 2,
      line: /^slipway: cannot write "\/nowhere\/before.yaml": no such file or folder$/m,
    },
    {
      name: 'a claim instead of the Composition',
      args: ['render', 'examples/aws/cluster.yaml', 'examples/aws/cluster.yaml'],
      code: 2,
      line: /it is a Cluster; accepted: a Composition/,
    },
    {
      name: 'an edit without a time',
      args: ['simulate', 'examples/aws', '--apply', 'a.yaml'],
      code: 2,
      line: /cannot accept --apply "a.yaml": accepted: FILE@TIME/,
    },
    {
      name: 'an unknown fault',
      args: ['simulate', 'examples/aws', '--fail', 'everything=1'],
      code: 2,
      line: /cannot accept --fail "everything=1": accepted: rate-limits=SHARE/,
    },
    {
      name: 'a zone without a name',
      args: ['simulate', 'examples/aws', '--fail', 'no-capacity=@3m'],
      code: 2,
      line: /cannot accept --fail "no-capacity=@3m": accepted: ZONE\[\/INSTANCE-TYPE\]\[@TIME\], .* such as eu-west-1a\/m6i.xlarge@30m/,
    },
    {
      name: 'a missing file',
      args: ['simulate', 'nowhere'],
      code: 2,
      line: 'slipway: cannot read "nowhere": no such file or folder',
    },
    {
      name: 'not YAML',
      args: ['simulate', file('broken.yaml', 'kind: [')],
      code: 2,
      line: /cannot read ".*broken.yaml": line \d+: /,
    },
    {
      name: 'not an object',
      args: ['simulate', file('list.yaml', '- a\n')],
      code: 2,
      line: /cannot use ".*list.yaml", line 1: apiVersion is required; accepted: Kubernetes objects/,
    },
    {
      name: 'no claim',
      args: ['simulate', file('other.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')],
      code: 2,
      line: /no Slipway claim found, only ConfigMap; accepted: a Cluster and its NodePools/,
    },
    {
      name: 'a claim of another version',
      args: ['plan', file('beta.yaml', 'apiVersion: slipway.dev/v1beta1\nkind: Cluster\nmetadata: {name: a}\n')],
      code: 2,
      line: /^slipway: cannot plan Cluster "a": apiVersion: "slipway.dev\/v1beta1" is not accepted; accepted: slipway.dev\/v1alpha1/,
    },
    ...['simulate', 'plan'].flatMap((command) => [
      {
        name: `a misspelt API group, of ${command}`,
        args: [command, claim('group.yaml', 'slipway.dev/', 'slipway.dve/')],
        code: 2,
        line: `slipway: cannot ${command} Cluster "team-a/prod": apiVersion: "slipway.dve/v1alpha1" is not accepted; accepted: slipway.dev/v1alpha1`,
      },
      {
        name: `a misspelt kind beside a claim, of ${command}`,
        args: [command, 'examples/aws', file('kind.yaml', POOL.replace('NodePool', 'Nodepool'))],
        code: 2,
        line: `slipway: cannot ${command} Nodepool "team-a/more": kind: "Nodepool" is not accepted; accepted: Cluster, NodePool; did you mean "NodePool"?`,
      },
      {
        name: `a misspelt kind of Crossplane, of ${command}`,
        args: [command, 'examples/aws', file('config.yaml', CONFIG.replace('EnvironmentConfig', 'EnvironmentConfg'))],
        code: 2,
        line: /EnvironmentConfg "slipway-aws": kind: .* did you mean "EnvironmentConfig"\?$/,
      },
    ]),
    {
      name: 'a misspelt kind to delete',
      args: ['simulate', 'examples/aws', '--delete', 'Nodepol/prod-general@5m'],
      code: 2,
      line: 'slipway: cannot accept --delete "Nodepol/prod-general@5m": accepted: Cluster, NodePool, Machine; did you mean "NodePool"?',
    },
    {
      name: 'a misspelt kind to delete, of plan',
      args: ['plan', '--delete', 'clustre/prod'],
      code: 2,
      line: 'slipway: cannot accept --delete "clustre/prod": accepted: Cluster, NodePool; did you mean "Cluster"?',
    },
    {
      name: 'a missing file to delete',
      args: ['plan', '--delete', 'nowhere.yaml'],
      code: 2,
      line: 'slipway: cannot read "nowhere.yaml": no such file or folder',
    },
    {
      name: 'an object to delete that no claim is or composes',
      args: ['simulate', 'examples/aws', '--delete', 'Machine/nobody@5m'],
      code: 2,
      line: 'slipway: cannot find Machine "nobody": accepted: prod-general-…, prod-memory-…, prod-control-plane-…',
    },
    {
      name: 'an object to delete, of a namespace that has none',
      args: ['simulate', 'examples/aws', '--delete', 'cl/team-x/prod@5m'],
      code: 2,
      line: 'slipway: cannot find Cluster "team-x/prod": there is no Cluster in namespace "team-x"; accepted namespaces: team-a',
    },
    {
      name: 'an object to show, of a namespace that has none',
      args: ['describe', 'cluster', 'prod', '-n', 'team-x', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot find Cluster "team-x/prod": there is no Cluster in namespace "team-x"; accepted namespaces: team-a',
    },
    {
      name: 'an object in two namespaces',
      args: ['describe', 'cluster/team-a/prod', '-n', 'team-x', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot describe "cluster/team-a/prod": --namespace is "team-x"; accepted: one namespace',
    },
    {
      name: 'a kind without a name',
      args: ['describe', 'clusters'],
      code: 2,
      line: 'slipway: cannot describe clusters: no name given; accepted: KIND NAME, KIND/NAME or KIND/NAMESPACE/NAME',
    },
    {
      name: 'a machine that is no Machine',
      args: ['payload', 'examples/aws', '--machine', 'np/prod-general'],
      code: 2,
      line: 'slipway: cannot accept --machine "np/prod-general": accepted: Machine',
    },
    {
      name: 'a change after the end',
      args: ['simulate', 'examples/aws', '--apply', 'examples/aws/edits/label.yaml@3h'],
      code: 2,
      line: 'slipway: cannot accept --apply "examples/aws/edits/label.yaml@3h": the simulation ends after 2h00m; accepted: an earlier time, or a longer --for',
    },
    {
      name: 'a deletion after the end, as it was typed',
      args: ['simulate', 'examples/aws', '--delete', 'cl/prod@99h'],
      code: 2,
      line: 'slipway: cannot accept --delete "cl/prod@99h": the simulation ends after 2h00m; accepted: an earlier time, or a longer --for',
    },
    {
      name: 'an empty seed',
      args: ['simulate', 'examples/aws', '--seed', ''],
      code: 2,
      line: 'slipway: cannot accept --seed "": accepted: a whole number from 0 to 4294967295',
    },
    {
      name: 'a zone that no cluster has',
      args: ['simulate', 'examples/aws', '--fail', 'no-capacity=eu-west-1x@30m', '-o', 'json'],
      code: 2,
      line: /^ +1s /,
      last: 'slipway: cannot accept --fail "no-capacity=eu-west-1x": no cluster has this zone; accepted: eu-west-1a, eu-west-1b, eu-west-1c',
    },
    {
      name: 'a size that the cloud of the zone cannot have',
      args: ['simulate', 'examples/aws', '--fail', 'no-capacity=eu-west-1a/m6i.xlagre@30m', '-o', 'json'],
      code: 2,
      line: /^ +1s /,
      last: 'slipway: cannot accept --fail "no-capacity=eu-west-1a/m6i.xlagre": accepted: an instance type of AWS such as m6i.xlarge',
    },
    {
      name: 'more than a zone',
      args: ['simulate', 'examples/aws', '--fail', 'no-capacity=eu-west-1a=1'],
      code: 2,
      line: /cannot accept --fail "no-capacity=eu-west-1a=1": accepted: ZONE/,
    },
    {
      name: 'a time of a fault that is none: the whole option is named',
      args: ['simulate', 'examples/aws', '--fail', 'provider-restart=soon'],
      code: 2,
      line: 'slipway: cannot accept --fail "provider-restart=soon": accepted: a duration such as 90s, 5m or 1h',
    },
    {
      name: 'the deletion of a Cluster that has pools: which, before what Kubernetes says',
      args: ['simulate', 'examples/aws', '--delete', 'Cluster/prod@9m', '-o', 'json'],
      code: 1,
      line: /^ +1s /,
      last: /cannot delete Cluster "team-a\/prod" after 9m00s: NodePool "prod-general" \(3 machines\), "prod-memory" \(2 machines\) belong to it; delete them first\n {2}what kubectl would print: This resource is in-use by /,
    },
    {
      name: 'a misspelt format',
      args: ['matrix', '-o', 'jsn'],
      code: 2,
      line: 'slipway: cannot accept --output "jsn": accepted: table, markdown, json; did you mean "json"?',
    },
    {
      name: 'aliases that grow',
      args: ['plan', file('bomb.yaml', bomb())],
      code: 2,
      line: /^slipway: cannot read ".*bomb.yaml": its aliases refer to each other too often$/,
    },
    {
      name: 'YAML that is nested too deeply',
      args: ['plan', file('deep.yaml', `a: ${'['.repeat(100_000)}`)],
      code: 2,
      line: /^slipway: cannot read ".*deep.yaml": line 1: it is nested too deeply$/,
    },
    {
      name: 'a disk image',
      args: ['plan', sparse('disk.yaml', 600 * 1024 * 1024)],
      code: 2,
      line: /^slipway: cannot read ".*disk.yaml": it has 600 MiB; accepted: at most 256 MiB$/,
    },
    {
      name: 'a name that is a list',
      args: ['plan', file('names.yaml', 'apiVersion: v1\nkind: A\nmetadata: {name: [1]}\n')],
      code: 2,
      line: /names.yaml", line 1: metadata.name is \[1\]; accepted: Kubernetes objects, with metadata.name as text$/,
    },
    {
      name: 'a name that is a number',
      args: ['plan', file('number.yaml', 'apiVersion: slipway.dev/v1alpha1\nkind: Cluster\nmetadata: {name: 123}\n')],
      code: 1,
      line: 'slipway: cannot accept Cluster "123": metadata.name: 123 is not accepted; accepted: a string in quotes: name: "123"',
      last: /\n {2}in ".*number.yaml", line 3\n$/,
    },
    {
      name: 'a file twice, once in its folder',
      args: ['plan', 'examples/aws', 'examples/aws/cluster.yaml'],
      code: 2,
      line: 'slipway: cannot plan "examples/aws/cluster.yaml": it is given twice; accepted: each file once',
    },
    {
      name: 'a claim in two files',
      args: ['plan', 'examples/aws', claim('again.yaml', '', '')],
      code: 2,
      line: /^slipway: cannot plan Cluster "team-a\/prod": it is in ".*cluster.yaml", line \d+, and again in ".*again.yaml", line \d+; accepted: each object once$/,
    },
    ...['0m', '0s', '0h0m0s'].map((time) => ({
      name: `no time at all: ${time}`,
      args: ['simulate', 'examples/aws', '--for', time],
      code: 2,
      line: `slipway: cannot accept --for "${time}": nothing happens in no time; accepted: a duration such as 90s, 5m or 1h`,
    })),
    ...['5', '1.5h', '-5m', '1H', '1d', '', ' 5m', '5 m'].map((time) => ({
      name: `a time without a unit, or of another form: "${time}"`,
      args: ['simulate', 'examples/aws', '--for', time],
      code: 2,
      line: `slipway: cannot accept --for "${time}": accepted: a duration such as 90s, 5m or 1h`,
    })),
    ...['721h', '99999999h', '43201m'].map((time) => ({
      name: `more time than anybody waits for: ${time}`,
      args: ['simulate', 'examples/aws', '--for', time],
      code: 2,
      line: `slipway: cannot accept --for "${time}": accepted: at most 720h, of simulated time`,
    })),
    {
      name: 'a folder of folders: those that could be meant',
      args: ['validate', 'examples'],
      code: 2,
      line: /^slipway: cannot use folder "examples": it has no file of objects .*, and folders in it are not read; accepted: examples\/aws, examples\/azure, /,
    },
    {
      name: 'no file',
      args: ['simulate'],
      code: 2,
      line: 'slipway: cannot simulate: no file given; accepted: files and folders with claims, or - for standard input',
    },
    {
      name: 'an object and neither a file nor a live cluster',
      args: ['describe', 'cluster', 'prod'],
      code: 2,
      line: 'slipway: cannot describe: no file given; accepted: files and folders with claims, or - for standard input, or --context NAME for a live cluster',
    },
    {
      name: 'a file for the result that cannot be written',
      args: ['matrix', '--output-file', '/nowhere/matrix.txt'],
      code: 2,
      line: 'slipway: cannot write "/nowhere/matrix.txt": no such file or folder',
    },
    {
      name: 'no file to show the first boot of',
      args: ['payload'],
      code: 2,
      line: 'slipway: cannot show the first-boot data: no file given; accepted: files and folders with claims, or - for standard input',
    },
    {
      name: 'standard input twice',
      args: ['plan', '-f', '-', '--observed', '-'],
      code: 2,
      line: 'slipway: cannot plan: standard input is given twice; accepted: - once',
    },
    {
      name: 'objects of another project',
      args: [
        'validate',
        file('capi.yaml', 'apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: a}\n'),
      ],
      code: 2,
      line: /no Slipway claim found, only Cluster of cluster\.x-k8s\.io\/v1beta1; accepted: /,
    },
    {
      name: 'a version that does not exist: what is accepted is what was meant',
      args: [
        'plan',
        file('version.yaml', 'apiVersion: slipway.dev/v1alpha2\nkind: Cluster\nmetadata: {name: a}\nspec: {}\n'),
      ],
      code: 2,
      line: /: apiVersion: "slipway\.dev\/v1alpha2" is not accepted; accepted: slipway\.dev\/v1alpha1$/,
    },
    {
      name: 'a function without an address',
      args: ['plan', 'examples/aws', '--function', 'mine'],
      code: 2,
      line: /^slipway: cannot accept --function "mine": accepted: NAME=HOST:PORT such as /,
    },
    {
      name: 'a function that nobody serves',
      args: ['plan', 'examples/aws', '--function', 'slipway-function-bootstrap=127.0.0.1:1'],
      code: 1,
      line: 'slipway: cannot call function "slipway-function-bootstrap" at 127.0.0.1:1: nothing listens there',
    },
    ...[
      ['plan', 'examples/aws'],
      ['simulate', 'examples/aws'],
      ['validate', 'examples/aws'],
      ['payload', 'examples/aws'],
      ['describe', 'cluster', 'prod', 'examples/aws'],
      ['render', 'examples/aws/cluster.yaml', 'compositions/aws/cluster.yaml'],
    ].map((args) => ({
      name: `a function that no step calls: ${args[0]}`,
      args: [...args, '--function', 'slipway-function-clustre=127.0.0.1:1'],
      code: 2,
      line: /^slipway: cannot accept --function "slipway-function-clustre=127\.0\.0\.1:1": no step of a Composition calls it; they call: .*slipway-function-cluster\b.*; did you mean "slipway-function-cluster"\?$/,
    })),
    ...['yaml', 'json'].map((format) => ({
      name: `a format of render: -o ${format} would name a file`,
      args: ['render', 'examples/aws/cluster.yaml', 'compositions/aws/cluster.yaml', '-o', format],
      code: 2,
      line: `slipway: cannot accept --observed-resources "${format}": render always prints YAML, and -o is short for --observed-resources; accepted: a file or folder with existing composed resources`,
    })),
    ...['payload', 'functions', 'completion'].map((command) => ({
      name: `a format where there is one: ${command}`,
      args: [command, '-o', 'yaml'],
      code: 2,
      line: 'slipway: unknown option "-o": its output has one form, which --output-file writes to a file',
    })),
    ...(
      [
        ['compositions/aws/cluster.yaml', 'it is a file'],
        ['examples/aws', 'no Composition is in it, only Cluster, NodePool'],
        ['docs', 'no Composition is in it'],
        ['controllers', 'no Composition is in it'],
      ] as const
    ).flatMap(([path, problem]) =>
      ['simulate', 'validate', 'plan', 'payload'].map((command) => ({
        name: `no folder of Compositions: ${path}, of ${command}`,
        args: [command, 'examples/aws', '--compositions', path],
        code: 2,
        line: `slipway: cannot accept --compositions "${path}": ${problem}; accepted: a folder with Compositions, or with folders of them`,
      })),
    ),
    {
      name: 'an object to delete, in two words',
      args: ['plan', '--delete', 'cluster', 'shop'],
      code: 2,
      line: 'slipway: cannot accept --delete "cluster": no name given; accepted: Cluster/shop, as one word',
    },
    {
      name: 'a kind to delete, before a file',
      args: ['plan', '--delete', 'np', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot accept --delete "np": no name given; accepted: NodePool/NAME or NodePool/NAMESPACE/NAME',
    },
    {
      name: 'a kind to delete, in a simulation',
      args: ['simulate', 'examples/aws', '--delete', 'cluster'],
      code: 2,
      line: 'slipway: cannot accept --delete "cluster": accepted: Cluster/NAME@TIME such as Cluster/prod@10m',
    },
    {
      name: 'the name of a claim without its kind',
      args: ['describe', 'prod', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot describe "prod": no kind given; accepted: Cluster/prod',
    },
    {
      name: 'the misspelt name of a claim without its kind',
      args: ['describe', 'prod-genral', '-f', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot describe "prod-genral": no kind given; accepted: NodePool/prod-general',
    },
    {
      name: 'a name without a kind, of a live cluster, which is not read for it',
      args: ['describe', 'shop', '--context', 'management'],
      code: 2,
      line: 'slipway: cannot describe "shop": accepted: Cluster, NodePool, Machine, then a name, such as cluster shop',
    },
    {
      name: 'an unknown object, before anything is simulated',
      args: ['describe', 'cluster', 'prud', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot find Cluster "prud": accepted: prod',
    },
    {
      name: 'a machine of no pool, before anything is simulated',
      args: ['describe', 'machine', 'prud-0', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot find Machine "prud-0": accepted: prod-general-…, prod-memory-…, prod-control-plane-…',
    },
    {
      name: 'an unknown machine',
      args: ['payload', 'examples/aws', '--machine', 'nobody', '--for', '2m'],
      code: 2,
      line: /cannot find the first-boot data of Machine "nobody"/,
    },
    {
      name: 'an unknown kind',
      args: ['describe', 'pod', 'x', 'examples/aws'],
      code: 2,
      line: 'slipway: cannot describe "pod": accepted: Cluster, NodePool, Machine',
    },
    {
      name: 'an even number of replicas',
      args: ['simulate', claim('even.yaml', 'replicas: 3', 'replicas: 2')],
      code: 1,
      line: /Cluster "team-a\/prod".*spec\.controlPlane\.replicas.*odd/,
    },
    {
      name: 'an invalid block',
      args: ['simulate', claim('cidr.yaml', /region: eu-west/, 'region: eu-west\n  network: {pods: 10.0.0.0/33}')],
      code: 1,
      line: /Cluster "team-a\/prod".*spec\.network\.pods.*10\.0\.0\.0\/33/,
    },
    {
      name: 'overlapping blocks',
      args: ['simulate', claim('overlap.yaml', /region: eu-west/, 'region: eu-west\n  network: {pods: 10.0.0.0/8}')],
      code: 1,
      line: /Cluster "team-a\/prod": spec\.network\.pods: "10\.0\.0\.0\/8" overlaps with /,
    },
    {
      name: 'a typo in a field',
      args: ['simulate', claim('typo.yaml', 'region:', 'regoin:')],
      code: 1,
      line: /Cluster "team-a\/prod".*spec\.reg/,
    },
  ])('ends with one line and its exit code: $name', async ({ args, code, line, last = '' }) => {
    const ran = await slipway(...args);
    expect(ran.stderr.trimEnd().split('\n')[0]).toMatch(line);
    expect(ran.stderr).toMatch(last);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
    expect(ran.code).toBe(code);
  });
});

describe('a file from which another program makes objects', () => {
  const sources = [
    { what: 'a kustomization', name: 'kustomization.yaml', text: KUSTOMIZATION, makes: 'kubectl kustomize' },
    { what: 'one that says no kind', name: 'kustomization.yml', text: 'resources: [a]\n', makes: 'kubectl kustomize' },
    { what: 'a chart', name: 'Chart.yaml', text: 'apiVersion: v2\nname: a\nversion: 1.0.0\n', makes: 'helm template' },
  ];
  const commands = [
    ['validate'],
    ['simulate'],
    ['plan'],
    ['plan', '--delete'],
    ['describe', 'cluster', 'prod'],
    ['payload'],
    ['validate', '-f'],
  ];
  const cases = sources.flatMap((source) => commands.map((command) => ({ ...source, command })));
  test.for(cases)('is named with what makes them: $what, $command', async ({ name, text, makes, command }) => {
    const path = folderWith(name, text);
    const { code, stderr } = await slipway(...command, path);
    const [line, hint] = stderr.split('\n');
    expect(line).toMatch(`slipway: cannot use "${join(path, name)}": it is `);
    expect(line).toMatch(`; accepted: the objects that ${makes} makes of it`);
    expect(hint).toBe(`  for example: ${makes} ${path} > objects.yaml, and give objects.yaml instead`);
    expect(code).toBe(2);
  });
});

test('an object of Slipway whose kind or version does not exist is refused beside claims', async () => {
  const cluster = readFileSync(join(ROOT, 'examples/aws/cluster.yaml'), 'utf8');
  const text = `${cluster}---\napiVersion: slipway.dev/v1alpha1\nkind: NodePol\nmetadata: { name: a }\n---\napiVersion: slipway.dev/v1\nkind: NodePool\nmetadata: { name: b }\n`;
  const path = folderWith('claims.yaml', text);
  const { code, stdout } = await slipway('validate', path);
  const place = `  in "${join(path, 'claims.yaml')}", line`;
  const lines = cluster.split('\n').length;
  expect(stdout.trim().split('\n')).toEqual([
    'cannot accept NodePol "a": kind: "NodePol" is not accepted; accepted: Cluster, NodePool; did you mean "NodePool"?',
    `${place} ${lines + 2}`,
    'cannot accept NodePool "b": apiVersion: "slipway.dev/v1" is not accepted; accepted: slipway.dev/v1alpha1',
    `${place} ${lines + 5}`,
    '3 claims: 2 refused',
  ]);
  expect(code).toBe(1);
});

test('of a Machine in a file, slipway validate says who makes it', async () => {
  const machine = 'apiVersion: slipway.dev/v1alpha1\nkind: Machine\nmetadata: { name: a, namespace: team-a }\n';
  const { code, stderr } = await slipway('validate', 'examples/aws', file('machine.yaml', machine));
  expect(stderr).toContain(
    'slipway: nothing is judged of Machine "team-a/a": Machines are created by their NodePool\n',
  );
  expect(code).toBe(0);
});

test('a claim without a spec is told that it is required', async () => {
  const { stdout } = await slipway(
    'validate',
    file('bare.yaml', '{apiVersion: slipway.dev/v1alpha1, kind: Cluster, metadata: {name: j, namespace: a}}'),
  );
  expect(stdout).toContain(
    'cannot accept Cluster "a/j": spec: is required; accepted: an object such as {version: v1.35.4, region: eu-west, controlPlane: {machine: {class: standard-4}}}\n',
  );
});

describe('a claim that only a function can refuse', () => {
  it('is reported with a condition that names what is accepted, exits with 3, and creates nothing', async () => {
    const { code, stdout } = await slipway(
      'simulate',
      claim('provider.yaml', 'provider: kubeadm', 'provider: kubeadmm'),
      '--for',
      '3m',
    );
    expect(code).toBe(3);
    expect(stdout).toMatch(/spec\.bootstrap\.provider: "kubeadmm" is not accepted; accepted: .*\bkubeadm\b/);
    const refusals = stdout.split('\n').filter((line) => line.includes('"kubeadmm" is not accepted'));
    expect(refusals, 'when it happens, and at the end').toEqual([
      expect.stringMatching(/^ +\d+s  Cluster prod  ClaimAccepted is False: cannot accept Cluster/),
      expect.stringMatching(/^Not ready: cannot accept Cluster/),
    ]);
  });

  it('has no first-boot data, and why is said at once', async () => {
    const path = claim('unserved.yaml', 'provider: kubeadm', 'provider: kubeadmm');
    const { code, stderr } = await slipway('payload', path, '--for', '3m');
    expect(stderr).toMatch(
      /^slipway: cannot find the first-boot data of Machine "control-plane": cannot accept Cluster "team-a\/prod": spec\.bootstrap\.provider: "kubeadmm" is not accepted; /,
    );
    expect(code).toBe(2);
  });

  it('is planned as refused alone: nothing of it is created', async () => {
    const path = claim('planned.yaml', 'provider: kubeadm', 'provider: kubeadmm');
    const { code, stdout } = await slipway('plan', path, '-o', 'json');
    const { entries } = JSON.parse(stdout) as { readonly entries: readonly { readonly decision: string }[] };
    expect(entries.map(({ decision }) => decision)).toEqual(['Refused']);
    expect(code).toBe(12);
  });
});

describe('slipway payload', () => {
  let raw = '';
  let secret = '';
  beforeAll(async () => {
    raw = (await slipway('payload', 'examples/aws', '--raw')).stdout;
    const data = { value: Buffer.from(raw).toString('base64'), format: Buffer.from('cloud-config').toString('base64') };
    secret = file(
      'secret.yaml',
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a-payload' }, data }),
    );
  });

  it('prints exactly the bytes that the machine gets with --raw, within the limit of EC2', () => {
    expect(raw.startsWith('#cloud-config\n')).toBe(true);
    expect(Buffer.byteLength(raw)).toBeLessThan(16_384);
  });

  it('shows a cloud-config with the configuration of kubeadm, secrets masked', async () => {
    const { code, stdout } = await slipway('payload', '--secret', secret);
    expect(code).toBe(0);
    expect(stdout.startsWith('#cloud-config\n')).toBe(true);
    expect(stdout).toContain('kind: InitConfiguration');
    expect(stdout).not.toMatch(/PRIVATE KEY-----\n\s*[A-Za-z0-9+/]{20}/);
    expect(stdout).toContain('token: masked.token');
    const { write_files: files } = parse(stdout) as { write_files: { path: string }[] };
    expect(files.map(({ path }) => path)).toContain('/etc/kubernetes/pki/ca.key');
  });

  it('shows secrets when the user asks for them', async () => {
    const { stdout } = await slipway('payload', '--secret', secret, '--show-secrets');
    expect(stdout).toMatch(/PRIVATE KEY-----\n\s*[A-Za-z0-9+/]{20}/);
    expect(stdout).toMatch(/token: [a-z0-9]{6}\.[a-z0-9]{16}\n/);
  });
});

describe('slipway render', () => {
  it('prints the XR first and then what Crossplane would apply', async () => {
    const { code, stdout } = await slipway(
      'render',
      'examples/aws/cluster.yaml',
      'compositions/aws/cluster.yaml',
      '--now',
      '2026-01-01T00:00:00Z',
    );
    expect(code).toBe(0);
    const kinds = parseAllDocuments(stdout).map((document) => (document.toJS() as { kind: string }).kind);
    expect(kinds[0]).toBe('Cluster');
    expect(kinds.filter((kind) => kind === 'Subnet')).toHaveLength(6);
  });

  it('refuses a Composition for another kind', async () => {
    const { code, stderr } = await slipway('render', 'examples/aws/cluster.yaml', 'compositions/aws/machine.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('it is for slipway.dev/v1alpha1 Machine, not for slipway.dev/v1alpha1 Cluster');
  });
});

describe('slipway describe', () => {
  it('shows the worker pools of a Cluster below it, and no pool of another Cluster', async () => {
    const other = file(
      'other-claims.yaml',
      ['cluster', 'node-pools']
        .map((name) => readFileSync(join(ROOT, `examples/aws/${name}.yaml`), 'utf8').replaceAll(/\bprod\b/g, 'shop'))
        .join('---\n'),
    );
    const { stdout, code } = await slipway('describe', 'cluster', 'prod', 'examples/aws', other, '--for', '2m');
    expect(stdout).toMatch(/├─ NodePool prod-general .*\n(.*\n)*└─ NodePool prod-memory /);
    expect(stdout).not.toContain('shop');
    expect(code).toBe(3);
  });

  it('shows one object and the objects below it, with conditions when the user asks for them', async () => {
    const { code, stdout } = await slipway('describe', 'nodepool', 'prod-general', 'examples/aws', '--show-conditions');
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot('golden/describe-nodepool.txt');
  });
});

describe('slipway', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await slipway('--version')).toMatchObject({ code: 0, stdout: `slipway ${version}\n` });
  });

  it('says which Node.js it needs to one that cannot run TypeScript', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import('./cli/slipway.js')`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', old], { cwd: ROOT, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr.split('\n')[0]).toBe('slipway: cannot run on Node.js 20.20.2: accepted: 22.19 and newer');
  });

  it('runs by its launcher', () => {
    const ran = spawnSync(process.execPath, ['cli/slipway.js', 'matrix', '-o', 'jsn'], { cwd: ROOT, encoding: 'utf8' });
    expect(ran.stderr).toContain(
      'slipway: cannot accept --output "jsn": accepted: table, markdown, json; did you mean "json"?\n',
    );
    expect(ran.status).toBe(2);
  });

  it('shows the help of a command in two ways', async () => {
    expect((await slipway('help', 'plan')).stdout).toBe((await slipway('plan', '--help')).stdout);
  });

  it('writes its result to a file that others cannot read', async () => {
    const path = join(folder, 'matrix.md');
    const { stdout } = await slipway('matrix', '-o', 'markdown');
    expect(await slipway('matrix', '-o', 'markdown', '--output-file', path)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(path, 'utf8')).toBe(stdout);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('reads claims from standard input, and ends quietly when nobody reads what it says', () => {
    const run = (command: string) => spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
    const node = `"${process.execPath}" cli/main.ts`;
    const lone = `sed '/^---/,$d' examples/aws/node-pools.yaml`;
    const piped = run(`${lone} | ${node} plan -f -`);
    expect(piped.stderr).toBe('');
    expect(piped.stdout).toContain('NodePool prod-general');
    const cut = run(`${node} matrix -o json | true; echo "\${PIPESTATUS[0]}"`);
    expect(cut.stderr).toBe('');
    expect(['0\n', '141\n']).toContain(cut.stdout);
  });

  const hasFull = existsSync('/dev/full');
  if (!hasFull) process.stdout.write('skipped: a full standard output: this machine has no /dev/full\n');
  it.skipIf(!hasFull)('says in one line that standard output is full', () => {
    const run = spawnSync('bash', ['-c', `"${process.execPath}" cli/main.ts matrix > /dev/full`], { cwd: ROOT });
    expect(run.stderr.toString()).toBe('slipway: cannot write standard output: the disk is full\n');
    expect(run.status).toBe(2);
  });
});

describe('slipway functions', () => {
  it('serves all seven functions and prints the functions.yaml for crossplane composition render', async () => {
    // Another run of this suite on the same machine must not use the same ports; the golden file shows the default
    // ports.
    const base = 20_000 + (process.pid % 1_000) * 10;
    const { child, ended } = start(['functions', '--base-port', String(base)]);
    await once(child.stderr, 'data'); // it reports that it serves
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const shown = stdout.replaceAll(/(?<=:)[0-9]{5}\b/g, (port) => String(Number(port) - base + 19_743));
    await expect(shown).toMatchFileSnapshot('golden/functions.yaml');
  });
});

test.for([['version'], ['-v'], ['-V'], ['--version']])('slipway %s prints the version', async ([word = '']) => {
  expect(await slipway(word)).toEqual({ code: 0, stdout: 'slipway 0.1.0\n', stderr: '' });
});

test('every command says in the same words where its help is', async () => {
  for (const { name } of wordsOf(createProgram())) {
    const { stderr } = await slipway(name, '--nonsense');
    expect(stderr).toBe(`slipway: unknown option "--nonsense"\n  see slipway ${name} --help\n`);
  }
});
