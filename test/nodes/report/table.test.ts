import { expect, test } from 'vitest';
import { machineTable, outcomeTable } from './table.ts';

test('machines, their kind, and how long each took in whole seconds', () => {
  const rows = [
    { machine: 'nodes-control-plane-0-aaaaa', role: 'first control plane', seconds: 20.4 },
    { machine: 'nodes-blue-0-bbbbb', role: 'worker', seconds: 11.6 },
  ];
  expect(machineTable(rows)).toBe(
    [
      'MACHINE                      ROLE                 SECONDS',
      'nodes-control-plane-0-aaaaa  first control plane  20',
      'nodes-blue-0-bbbbb           worker               12',
      '',
    ].join('\n'),
  );
});

test('cases with their result, and their details at the end of the line', () => {
  const outcomes = [
    { name: 'first boot', result: 'passed', seconds: 1, note: 'cloud-init done' },
    { name: 'node', result: 'failed', seconds: 1, note: 'label example.com/team is "blue"; seen: undefined' },
  ] as const;
  expect(outcomeTable(outcomes)).toBe(
    [
      'CASE        RESULT  NOTE',
      'first boot  passed  cloud-init done',
      'node        failed  label example.com/team is "blue"; seen: undefined',
      '',
    ].join('\n'),
  );
});
