import { expect, test } from 'vitest';
import { callsSince, p95, parseCalls } from './call-metrics.ts';

const TEXT = `# HELP slipway_function_call_seconds Time per call.
slipway_function_call_seconds_bucket{le="0.001",function="function-cluster"} 2
slipway_function_call_seconds_bucket{le="0.01",function="function-cluster"} 19
slipway_function_call_seconds_bucket{le="+Inf",function="function-cluster"} 20
slipway_function_call_seconds_sum{function="function-cluster"} 0.2
slipway_function_call_seconds_count{function="function-cluster"} 20
`;

test('reads calls and their times from Prometheus metrics', () => {
  const calls = parseCalls(TEXT);
  expect(calls.calls).toBe(20);
  expect(p95(calls)).toBe(0.01);
});

test('counts calls since the last time, and from zero after a restart', () => {
  const before = new Map([['function-cluster', parseCalls(TEXT)]]);
  const later = new Map([
    [
      'function-cluster',
      {
        calls: 21,
        buckets: new Map([
          [0.001, 3],
          [0.01, 20],
          [Infinity, 21],
        ]),
      },
    ],
  ]);
  expect(callsSince(before, later).get('function-cluster')).toEqual({
    calls: 1,
    buckets: new Map([
      [0.001, 1],
      [0.01, 1],
      [Infinity, 1],
    ]),
  });
  expect(callsSince(later, before).get('function-cluster')?.calls).toBe(20);
});

test('has no entry for a function that was not called', () => {
  expect(p95({ calls: 0, buckets: new Map() })).toBeUndefined();
});
