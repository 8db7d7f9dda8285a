/** The totals below a simulation are true, whatever became of its machines. */
import { expect, test } from 'vitest';
import type { Counters, Snapshot } from '#simulator/engine.ts';
import { plain } from '../terminal/style.ts';
import { summaryLines } from './summary.ts';

const NOTHING: Counters = {
  reconciles: 0,
  functionCalls: {},
  failedCalls: 0,
  created: {},
  deleted: {},
  cloudCreated: {},
  cloudDeleted: {},
  cloudObjects: 0,
  machinesBooted: 0,
  nodesJoined: 0,
  nodesDrained: 0,
  nodesUpdated: 0,
};

function line(what: string, counters: Partial<Counters>): string | undefined {
  const snapshot: Snapshot = {
    now: '',
    seconds: 0,
    seed: 0,
    ready: false,
    composites: [],
    counters: { ...NOTHING, ...counters },
    timeline: [],
    warnings: [],
    violations: [],
  };
  const lines = summaryLines(snapshot, { seconds: 0, p95: 0 }, plain);
  return lines.find((one) => one.startsWith(what))?.replace(/^\w+ +/, '');
}

test.for([
  { machinesBooted: 3, nodesJoined: 3, want: '3  3 booted, 0 drained' },
  { machinesBooted: 1, nodesJoined: 0, want: '0  1 booted, 1 of them no node, 0 drained' },
  { machinesBooted: 5, nodesJoined: 3, want: '3  5 booted, 2 of them no node, 0 drained' },
])('a machine that boots is a node only once it joined: $want', ({ want, ...counters }) => {
  expect(line('Nodes', counters)).toBe(want);
});

test('the parts of one secret that a machine deletes are not counted as secrets', () => {
  const counters = { cloudCreated: { Instance: 1, Secret: 1, SecretVersion: 1 }, cloudObjects: 1 };
  expect(line('Cloud', counters)).toBe(
    '1  3 created, 0 deleted, 2 objects of first-boot data deleted by the machines that read it',
  );
});
