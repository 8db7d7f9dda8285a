import { expect, test } from 'vitest';
import { costOf } from './cost.ts';

test('calls are counted for each object of a kind and poll', () => {
  const call = (action: string, about: string) => ({ at: 0, action, status: 200, error: undefined, about, named: [] });
  const calls = [
    call('DescribeInstances', 'i-0a'),
    call('DescribeInstances', 'i-0b'),
    call('DescribeVolumes', 'i-0a'),
    call('DescribeVolumes', 'i-0b'),
    call('GetRole', 'node'),
  ];
  expect(costOf(calls, 2)).toEqual([
    'Instance: 2 × 1.0 calls a poll (DescribeInstances, DescribeVolumes)',
    'Role: 1 × 0.5 calls a poll (GetRole)',
  ]);
});
