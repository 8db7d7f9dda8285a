/** Which hosts a claim may not have processes of the platform call, however they are written. */
import { describe, expect, test } from 'vitest';
import { isOfPlatform } from './platform-host.ts';

describe('a host that means the platform is known', () => {
  test.for([
    [
      'loopback',
      ['127.0.0.1', '127.8.8.8', '::1', 'localhost', 'LocalHost', 'localhost.', 'api.localhost', '0.0.0.0', '::'],
    ],
    [
      'loopback in another notation',
      ['127.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1', '127.0.0.1.'],
    ],
    ['loopback in letters that are no ASCII', ['１２７.0.0.1', '①②⑦.0.0.1', 'localhost。']],
    [
      'IPv4 inside IPv6',
      ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
    ],
    ['IPv4 inside IPv6 of a tunnel', ['2002:7f00:1::', '2002:a9fe:a9fe::1', '::ffff:0:127.0.0.1']],
    ['link-local', ['169.254.169.254', '169.254.0.1', 'fe80::1', '0xa9fea9fe', '2852039166']],
    [
      'a metadata service',
      ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'metadata.google.internal', 'metadata', 'METADATA.goog.'],
    ],
    ['multicast and broadcast', ['224.0.0.1', '255.255.255.255', 'ff02::1']],
    [
      'a Service of its cluster',
      ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
    ],
    ['any Service', ['vault.vault-system', 'vault.vault.svc.', 'x.pod.cluster.local', 'cluster.local', 'registry']],
    ['what is no host', ['', '.', 'a b', 'fe80::1%eth0', '[::1', '10.0.0.256', '10.1']],
  ] as const)('%s', ([, hosts]) => {
    expect(hosts.filter((host) => !isOfPlatform(host))).toEqual([]);
  });
});

test.for([
  '10.0.0.1',
  '192.168.1.1',
  '8.8.8.8',
  '2001:db8::1',
  'fd12::1',
  '64:ff9b::808:808',
  'api.example.com',
  'API.example.com.',
  'api_1.example.com',
  'localhost.example.org',
  'svc.example.com',
  'default.example.com',
  'cluster.local.example.com',
  'my.xn--fiqs8s',
  'prod.internal',
  'prod.local',
])('%s is elsewhere', (host) => {
  expect(isOfPlatform(host)).toBe(false);
});
