/** Claims that nobody accepts: each ends with one line that names the field. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { testEndings } from './endings.ts';
import { ROOT, slipway } from './slipway.ts';
import { claim, file, folderWith } from './written.ts';

const POOL = 'apiVersion: slipway.dev/v1alpha1\nkind: NodePool\nmetadata: {name: more, namespace: team-a}\n';
const CONFIG =
  'apiVersion: apiextensions.crossplane.io/v1beta1\nkind: EnvironmentConfig\nmetadata: {name: slipway-aws}\n';

testEndings([
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
    name: 'a version that does not exist: what is accepted is what was meant',
    args: [
      'plan',
      file('version.yaml', 'apiVersion: slipway.dev/v1alpha2\nkind: Cluster\nmetadata: {name: a}\nspec: {}\n'),
    ],
    code: 2,
    line: /: apiVersion: "slipway\.dev\/v1alpha2" is not accepted; accepted: slipway\.dev\/v1alpha1$/,
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
]);

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
    'cannot accept Cluster "a/j": spec: is required; accepted: an object such as {version: v1.37.1, region: eu-west, controlPlane: {machine: {class: standard-4}}}\n',
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
