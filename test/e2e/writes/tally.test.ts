import { expect, test } from 'vitest';
import { breakersSince, parseBreakers } from './breaker.ts';
import type { Write } from './recorder.ts';
import { reportOf } from './tally.ts';

const write = (kind: string, name: string, fields: Partial<Write> = {}): Write => ({
  kind,
  name,
  writer: 'provider',
  isCreation: false,
  isGoing: false,
  isXr: false,
  composedBy: 'Cluster/prod',
  ...fields,
});
const claim = (fields: Partial<Write> = {}) =>
  write('Cluster', 'prod', { isXr: true, composedBy: undefined, ...fields });

const METRICS = `# TYPE circuit_breaker_events_total counter
circuit_breaker_events_total{controller="composite/clusters.slipway.dev",result="Allowed"} 106
circuit_breaker_events_total{controller="composite/clusters.slipway.dev",result="Dropped"} 4315
circuit_breaker_opens_total{controller="composite/clusters.slipway.dev"} 1
controller_runtime_reconcile_total{controller="composite/clusters.slipway.dev",result="success"} 9
`;

test('a new object costs one token and a changed one two; a deleted object costs none, nor does an object of another XR', () => {
  const writes = [
    claim({ isCreation: true }),
    claim(),
    write('VPC', 'prod', { isCreation: true }),
    write('VPC', 'prod'),
    write('VPC', 'prod', { isGoing: true }),
    write('Instance', 'other', { composedBy: 'Machine/other' }),
  ];
  expect(reportOf(writes, parseBreakers(METRICS)).xrs).toEqual([
    { kind: 'Cluster', xrs: 1, writes: 4, tokens: 6, events: 4421, opened: 1 },
  ]);
});

test('writes are counted by kind and writer, the most frequent first', () => {
  const writes = [
    write('VPC', 'a'),
    write('Route', 'b'),
    write('Route', 'c', { writer: 'composed' }),
    write('Route', 'c'),
  ];
  expect(reportOf(writes, new Map()).kinds).toEqual([
    {
      kind: 'Route',
      objects: 2,
      writes: 3,
      writers: [
        ['provider', 2],
        ['composed', 1],
      ],
    },
    { kind: 'VPC', objects: 1, writes: 1, writers: [['provider', 1]] },
  ]);
});

test('counting starts at zero when Crossplane was restarted', () => {
  const now = parseBreakers(METRICS);
  expect(breakersSince(now, now).get('clusters.slipway.dev')).toEqual({ events: 0, opened: 0 });
  const before = new Map([['clusters.slipway.dev', { events: 9999, opened: 7 }]]);
  expect(breakersSince(before, now).get('clusters.slipway.dev')).toEqual({ events: 4421, opened: 1 });
});
