/** The command line of provider-node: its own flags, and those that platforms set for all providers at once. */
import { expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import { parseFlags } from './flags.ts';

const DEFAULTS = parseFlags([], {});

test('without flags it looks every ten minutes, serves metrics, and acts alone', () => {
  expect(DEFAULTS).toMatchObject({
    poll: 600,
    rate: 10,
    leaderElection: false,
    metricsAddress: { host: '', port: 8080 },
  });
});

test.for([
  { argv: ['--poll=1m30s'], want: { poll: 90 } },
  { argv: ['--max-reconcile-rate=100'], want: { rate: 100 } },
  { argv: ['--leader-election'], want: { leaderElection: true } },
  { argv: ['-l', '-d'], want: { leaderElection: true, debug: true } },
  { argv: [], env: { LEADER_ELECTION: 'true' }, want: { leaderElection: true } },
  { argv: ['--metrics-address='], want: { metricsAddress: undefined } },
  { argv: ['--metrics-bind-address=:9090'], want: { metricsAddress: { host: '', port: 9090 } } },
  { argv: ['--sync=1h', '--poll-jitter-percentage=10', '--poll-state-metric=5s'], want: {} },
])('$argv', ({ argv, env = {}, want }) => {
  expect(parseFlags(argv, env)).toEqual({ ...DEFAULTS, ...want });
});

test.for([
  {
    argv: ['--poll=often'],
    line: 'cannot accept --poll "often": accepted: a duration such as 90s or 10m',
  },
  {
    argv: ['--max-reconcile-rate=0'],
    line: 'cannot accept --max-reconcile-rate "0": accepted: a number from 1 to 9999',
  },
])('$argv is refused', ({ argv, line }) => {
  expect(() => parseFlags(argv, {})).toThrow(new SlipwayError('UnknownSubject', line));
});
