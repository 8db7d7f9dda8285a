/** Files that hold nothing of use: each ends with one line that says what is accepted. */
import { truncateSync } from 'node:fs';
import { testEndings } from './endings.ts';
import { claim, file } from './written.ts';

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

testEndings([
  {
    name: 'a folder of Compositions that does not exist',
    args: ['simulate', 'examples/aws', '--compositions', '/nowhere'],
    code: 2,
    line: /^slipway: cannot read "\/nowhere": no such file or folder$/m,
  },
  {
    name: 'a claim instead of the Composition',
    args: ['render', 'examples/aws/cluster.yaml', 'examples/aws/cluster.yaml'],
    code: 2,
    line: /it is a Cluster; accepted: a Composition/,
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
  {
    name: 'a folder of folders: those that could be meant',
    args: ['validate', 'examples'],
    code: 2,
    line: /^slipway: cannot use folder "examples": it has no file of objects .*, and folders in it are not read; accepted: examples\/aws, examples\/azure, /,
  },
  {
    name: 'objects of another project',
    args: ['validate', file('capi.yaml', 'apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: a}\n')],
    code: 2,
    line: /no Slipway claim found, only Cluster of cluster\.x-k8s\.io\/v1beta1; accepted: /,
  },
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
]);
