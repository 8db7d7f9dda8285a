/** A plan for people: what it says fits their terminal, and no name reaches it as an escape code. */
import { expect, test } from 'vitest';
import { plain } from '../terminal/style.ts';
import type { PlanEntry } from './entry.ts';
import { printed } from './print.ts';

const aLine = (name: string, line: Partial<PlanEntry>): PlanEntry => ({
  kind: 'Machine',
  namespace: 'team-a',
  name,
  cluster: 'prod',
  pool: 'general',
  field: 'spec.machine.class',
  decision: 'Update',
  reason: 'updater resize changes it in place, as the rule for spec.machine.class says',
  ...line,
});
const RESIZE: readonly PlanEntry[] = ['a', 'b'].map((name) =>
  aLine(`prod-general-0-${name}`, {
    old: '"standard-4"',
    new: '"standard-8"',
    updaters: ['resize'],
    blockedBy: 'update.maxUnavailable',
  }),
);

test('is a table where that fits, and blocks where it does not', () => {
  expect(printed(RESIZE, 'table', plain, 200)).toContain('OBJECTS');
  expect(printed(RESIZE, 'table', plain, 80)).toBe(`NodePool general (team-a)
  prod-general-0-a, prod-general-0-b
    spec.machine.class: "standard-4" → "standard-8"
    Update: updater resize changes it in place, as the rule for
    spec.machine.class says
    waits for: update.maxUnavailable
  → 2 machines: drained, stopped, and started with the new size, a few minutes
    each; local disks are lost

0 machines patched, 2 updated in place, 0 replaced, 0 held
`);
});

test.for([20, 40, 80, 120])('has no line longer than %i columns', (width) => {
  const lines = printed(RESIZE, 'table', plain, width).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
});

test('counts the objects of many kinds that go the same way, and names those of a few', () => {
  const dropped = (kind: string, name: string): PlanEntry => {
    const { pool: _pool, ...line } = aLine(name, {
      kind,
      decision: 'Drop',
      field: '',
      reason: 'Cluster prod is deleted',
    });
    return line;
  };
  const many = [
    dropped('Cluster', 'prod'),
    dropped('VPC', 'a'),
    ...['a', 'b'].map((name) => dropped('Subnet', name)),
    dropped('Role', 'a'),
    dropped('LB', 'a'),
  ];
  const shown = (entries: readonly PlanEntry[]): readonly string[] =>
    printed(entries, 'table', plain)
      .split('\n')
      .slice(2, -4)
      .map((line) => line.trim().split('  ')[0] ?? '');
  expect(shown(many)).toEqual(['Cluster prod', '2 Subnet, 1 VPC, 1 Role and 1 other object']);
  expect(shown(many.slice(0, 4))).toEqual(['Cluster prod', 'VPC a', 'Subnet a, b']);
});

test('names the machines of a pool that go, but counts those that go undrained with all of their cluster', () => {
  const going = (line: Partial<PlanEntry>): string =>
    printed(
      ['a', 'b', 'c', 'd', 'e'].map((name) => aLine(name, { field: '', decision: 'Drop', ...line })),
      'table',
      plain,
    );
  expect(going({})).toContain('  a, b, c, d, e ');
  expect(going({ undrained: true })).toContain('  a, b and 3 more ');
});

test('does not count what stays as it is among the changed objects', () => {
  const kept = aLine('a', { kind: 'Release', decision: 'Ignore' });
  expect(printed([kept, aLine('a', { kind: 'VPC', decision: 'Drop' })], 'table', plain)).toContain(
    'other objects: 1 removed',
  );
});

test.for<readonly [what: string, later: readonly (readonly [kind: string, machines: number])[], says: string]>([
  ['no machines', [['Cluster', 0]], 'no machine is touched; '],
  [
    'a control plane',
    [['Cluster', 3]],
    'no machine is touched yet; 3 control-plane machines are created once the infrastructure is ready; ',
  ],
  [
    'a pool',
    [['NodePool', 1]],
    'no machine is touched yet; 1 machine is created for pools once their cluster is ready; ',
  ],
  [
    'a Cluster and its pools',
    [
      ['Cluster', 3],
      ['NodePool', 2],
      ['NodePool', 3],
    ],
    'no machine is touched yet; 3 control-plane machines are created once the infrastructure is ready, and 5 machines are created for pools once their cluster is ready; ',
  ],
])('says how many machines follow when new claims are applied: %s', ([, later, says]) => {
  const entries = later.map(([kind, machinesLater], index) =>
    aLine(`new-${index}`, { kind, decision: 'Create', machinesLater }),
  );
  expect(printed(entries, 'table', plain)).toContain(`\n${says}other objects: `);
  expect(JSON.parse(printed(entries, 'json', plain))).toMatchObject({ summary: { machines: { created: 0 } } });
});

test('shows no control character of a name', () => {
  expect(printed([aLine('a\u001B[2J', {})], 'table', plain)).not.toContain('\u001B');
});

test.for<readonly [what: string, entries: readonly PlanEntry[], sentence: string]>([
  ['patched', [aLine('a', { decision: 'Patch' })], '1 machine: changed at once, without a restart'],
  [
    'replaced',
    [aLine('a', { decision: 'Recreate' }), aLine('b', { decision: 'Create', succeeds: 'a' })],
    '1 machine: a new one is created, the old one drained and deleted; local disks are lost',
  ],
  ['removed', [aLine('a', { decision: 'Drop' })], '1 machine: drained and deleted; local disks are lost'],
  [
    'several removed at once',
    ['a', 'b'].map((name) => aLine(name, { decision: 'Drop' })),
    '2 machines: drained at the same time and deleted; local disks are lost',
  ],
  [
    'several removed that wait',
    ['a', 'b'].map((name) => aLine(name, { decision: 'Drop', blockedBy: 'update.maxUnavailable' })),
    '2 machines: drained and deleted; local disks are lost',
  ],
  [
    'deleted with its cluster',
    [aLine('a', { decision: 'Drop', undrained: true, reason: 'control-plane nodes are not drained' })],
    '1 machine: deleted without a drain; local disks are lost',
  ],
  ['updated by others', [aLine('a', { updaters: ['theirs'] })], '1 machine: updated in place by theirs'],
  ['held', [aLine('a', { held: true })], '1 machine: no change until somebody acts'],
  [
    'the last of a cluster',
    [aLine('prod', { kind: 'Cluster', decision: 'Drop' })],
    'the cluster is lost, with its etcd data, certificates and kubeconfig',
  ],
])('says in words what happens: %s', ([, entries, sentence]) => {
  expect(printed(entries, 'table', plain)).toContain(`  → ${sentence}\n`);
  expect(printed(entries, 'markdown', plain)).toContain(`\n- ${sentence}\n`);
});

test('shows pools that are blocked for one reason once, and each of them as data', () => {
  const refused = ['a', 'b', 'c'].map((pool) =>
    aLine(pool, {
      kind: 'NodePool',
      pool,
      field: 'spec.provisioning.format',
      decision: 'Refused',
      reason: 'no',
      blockedBy: 'step "nodepool" of its Composition',
    }),
  );
  const text = printed(refused, 'table', plain);
  expect(text).toContain('NodePool a, b and 1 more (team-a)\n');
  expect(text.split('\n').filter((line) => line.includes('Refused'))).toHaveLength(1);
  expect(text).toContain('3 claims refused or held');
  expect(JSON.parse(printed(refused, 'json', plain))).toMatchObject({ entries: refused });
});

test('names the machines of a pool that go, since nothing else says which', () => {
  const going = (count: number): readonly PlanEntry[] =>
    Array.from({ length: count }, (_, slot) =>
      aLine(`general-${slot}`, { decision: 'Drop', field: '', reason: `removing ${count} of 9 machines` }),
    );
  expect(printed(going(4), 'table', plain, 40)).toBe(`NodePool general (team-a)
  general-0, general-1, general-2,
  general-3
    Delete: removing 4 of 9 machines
  → 4 machines: drained at the same time
    and deleted; local disks are lost

0 machines patched, 0 updated in place,
0 replaced, 4 removed, 0 held
`);
  expect(printed(going(9), 'table', plain, 80)).toContain('general-5 and 3 more\n');
});
