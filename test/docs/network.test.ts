/** The documented network policies: where processes of the platform may connect to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { includes, parseCidr } from '#lib/api/cidr.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { isLocal } from '#lib/api/local-address.ts';
import { FUNCTIONS, functionName, ROOT } from '../../cli/files/repository.ts';

const [ofProviders, ofFunctions] = parseAllDocuments(readFileSync(join(ROOT, 'docs/install/network.yaml'), 'utf8')).map(
  (document) => document.toJS() as KubeObject,
);

const selected = (policy: KubeObject | undefined): unknown =>
  (at(policy?.spec, 'podSelector', 'matchExpressions') as readonly unknown[])[0];

interface Block {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** Of the rules for any port. */
const blocks = (at(ofProviders?.spec, 'egress') as unknown as { ports?: unknown; to: { ipBlock?: Block }[] }[])
  .filter(({ ports }) => ports === undefined)
  .flatMap(({ to }) => to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock])));

const isIn = (address: string, block: string): boolean => {
  const [outer, inner] = [block, `${address}/${address.includes(':') ? 128 : 32}`].map(parseCidr);
  return outer !== undefined && inner !== undefined && includes(outer, inner);
};

const reached = (address: string): boolean =>
  blocks.some(({ cidr, except = [] }) => isIn(address, cidr) && !except.some((block) => isIn(address, block)));

describe('providers that go where claims send them', () => {
  test('are those of add-ons, and provider-node', () => {
    expect(selected(ofProviders)).toEqual({
      key: 'pkg.crossplane.io/provider',
      operator: 'In',
      values: ['slipway-provider-node', 'provider-helm', 'provider-kubernetes'],
    });
  });

  test.for([
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'ff02::1',
    '::7f00:1',
    ...['7f00:1', '1', 'a9fe:a9fe', '6464:64c8', 'a83f:8110', 'c000:c0', 'e000:1', 'ffff:ffff'].map(
      (translated) => `64:ff9b::${translated}`,
    ),
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ])('do not reach %s, which is closed to claims, too', (address) => {
    expect(isLocal(address)).toBe(true);
    expect(reached(address)).toBe(false);
  });

  test.for([
    ['an address', ['10.0.0.1', '192.168.1.1', '203.0.113.9', '2001:db8::1', 'fd12::1']],
    ['an IPv4 address by NAT64, from a cluster with IPv6 alone', ['64:ff9b::cb00:7109', '64:ff9b::a00:1']],
  ] as const)('reach %s', ([, addresses]) => {
    expect(addresses.filter((address) => isLocal(address) || !reached(address))).toEqual([]);
  });

  test('do not reach by NAT64 what they do not reach by IPv4', () => {
    const [ofIPv4, ofIPv6] = blocks.map(({ except = [] }) => except);
    const translated = ofIPv4?.map((block) => {
      const [address = '', length] = block.split('/');
      const octets = address.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
      return parseCidr(`64:ff9b::${octets[0]}${octets[1]}:${octets[2]}${octets[3]}/${96 + Number(length)}`);
    });
    expect(ofIPv6?.map(parseCidr)).toEqual(expect.arrayContaining(translated ?? []));
  });
});

test('functions reach nobody', () => {
  expect(selected(ofFunctions)).toMatchObject({ key: 'pkg.crossplane.io/function', operator: 'In' });
  expect((at(selected(ofFunctions), 'values') as string[]).toSorted()).toEqual(FUNCTIONS.map(functionName).toSorted());
  expect(ofFunctions?.spec).toMatchObject({ policyTypes: ['Egress'], egress: [] });
});
