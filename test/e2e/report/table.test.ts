import { expect, test } from 'vitest';
import { callTable, caseTable } from './table.ts';

test('a case has a line with its name, result, time and details', () => {
  const outcomes = [
    { name: 'install', result: 'passed', seconds: 14.4, note: '13 packages' },
    { name: 'scale', result: 'failed', seconds: 180, note: 'two machines were made; seen: 3' },
    { name: 'delete', result: 'skipped', seconds: 0, note: 'starts from scale' },
  ] as const;
  expect(caseTable(outcomes, (result) => result)).toBe(
    [
      'CASE     RESULT   SECONDS  NOTE',
      'install  passed        14  13 packages',
      'scale    failed       180  two machines were made; seen: 3',
      'delete   skipped        0  starts from scale',
      '',
    ].join('\n'),
  );
});

test('calls are shown for the cases that count them', () => {
  const calls = new Map([
    [
      'function-nodepool',
      {
        calls: 40,
        buckets: new Map([
          [0.01, 10],
          [0.02, 40],
          [Infinity, 40],
        ]),
      },
    ],
    [
      'function-cluster',
      {
        calls: 9,
        buckets: new Map([
          [0.01, 9],
          [Infinity, 9],
        ]),
      },
    ],
  ]);
  const counts = { calls, created: 8, deleted: 2 };
  expect(callTable([{ name: 'scale', result: 'passed', seconds: 1, note: '', counts }])).toBe(
    [
      'CASE   FUNCTION           RECONCILES      P95  CREATED  DELETED',
      'scale  function-cluster            9  ≤ 10 ms        8        2',
      '       function-nodepool          40  ≤ 20 ms',
      '',
    ].join('\n'),
  );
});
