import { describe, expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import { formatAddress, parseAddress } from '#lib/serve/address.ts';
import { type Flags, parseFlags } from './flags.ts';

const DEFAULTS: Flags = {
  help: false,
  debug: false,
  insecure: false,
  address: { host: '', port: 9443 },
  certsDir: undefined,
  metricsAddress: { host: '', port: 8080 },
  maxReceive: 32,
  ttl: undefined,
  clock: 'system',
  drain: 20,
  stopWithStdin: false,
};
const MOUNTED = { TLS_SERVER_CERTS_DIR: '/c' };

describe('the command line', () => {
  test.for<{ reason: string; flags: string[]; env?: Record<string, string>; want: Partial<Flags> }>([
    { reason: 'what Crossplane expects of a container', flags: [], want: {} },
    { reason: 'Crossplane mounts certificates here', flags: [], env: MOUNTED, want: { certsDir: '/c' } },
    { reason: 'a flag has priority over that', flags: ['--tls-certs-dir=/a'], env: MOUNTED, want: { certsDir: '/a' } },
    { reason: 'the name other SDKs use', flags: ['--tls-server-certs-dir', '/b'], want: { certsDir: '/b' } },
    {
      reason: 'every address, IPv4 and IPv6',
      flags: ['--address', ':1234'],
      want: { address: { host: '', port: 1234 } },
    },
    { reason: 'IPv6', flags: ['--address', '[::1]:0'], want: { address: { host: '::1', port: 0 } } },
    { reason: 'no plain port', flags: ['--metrics-address', ''], want: { metricsAddress: undefined } },
    { reason: 'short and long', flags: ['-d', '--insecure'], want: { debug: true, insecure: true } },
    { reason: 'durations', flags: ['--ttl', '1h5m', '--drain', '0s'], want: { ttl: 3900, drain: 0 } },
    { reason: 'the last one counts', flags: ['--clock', 'system', '--clock', 'request'], want: { clock: 'request' } },
    { reason: 'megabytes', flags: ['--max-recv-message-size', '64'], want: { maxReceive: 64 } },
  ])('$flags: $reason', ({ flags, env, want }) => {
    expect(parseFlags(flags, env ?? {})).toEqual({ ...DEFAULTS, ...want });
  });
});

describe('invalid flags are reported in one line', () => {
  const help = '--help lists what is accepted';
  const addresses = 'HOST:PORT such as :9443, 0.0.0.0:9443 or [::1]:9443';
  test.for([
    [['--bogus'], `cannot read the command line: Unknown option '--bogus'; ${help}`],
    [['x'], `cannot read the command line: Unexpected argument 'x'; ${help}`],
    [['--ttl'], `cannot read the command line: Option '--ttl <value>' argument missing; ${help}`],
    [['--ttl', '--debug'], `cannot read the command line: Option '--ttl' argument is ambiguous; ${help}`],
    [['--ttl', ''], 'cannot accept --ttl "": accepted: a duration such as 90s or 10m'],
    [['--drain', '5'], 'cannot accept --drain "5": accepted: a duration such as 90s or 10m'],
    [['--clock', 'sun'], 'cannot accept --clock "sun": accepted: system, request'],
    [['--max-recv-message-size', '0'], 'cannot accept --max-recv-message-size "0": accepted: megabytes from 1 to 9999'],
    [['--address', 'localhost'], `cannot accept --address "localhost": accepted: ${addresses}`],
    [['--metrics-address', '::1:80'], `cannot accept --metrics-address "::1:80": accepted: ${addresses}`],
  ] as const)('%j', ([flags, line]) => {
    expect(() => parseFlags(flags, {})).toThrow(new SlipwayError('UnknownSubject', line));
  });
});

test.for([':9443', '0.0.0.0:9443', '[::1]:80', 'localhost:0', 'my-host.example_1:65535'])(
  '%s is an address',
  (text) => {
    const address = parseAddress(text);
    expect(address === undefined ? undefined : formatAddress(address)).toBe(text);
  },
);

test.for(['', ':', 'host', 'host:', 'host:x', '::1:80', '[x]:80', 'a b:80', 'host:65536', 'http://host:80'])(
  '"%s" is not an address',
  (text) => {
    expect(parseAddress(text)).toBeUndefined();
  },
);
