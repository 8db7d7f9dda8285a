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
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ])('do not reach %s, which is closed to claims, too', (address) => {
    expect(isLocal(address)).toBe(true);
    expect(reached(address)).toBe(false);
  });

  test.for(['10.0.0.1', '192.168.1.1', '203.0.113.9', '2001:db8::1', 'fd12::1'])('reach %s', (address) => {
    expect(reached(address)).toBe(true);
  });
});

test('functions reach nobody', () => {
  expect(selected(ofFunctions)).toMatchObject({ key: 'pkg.crossplane.io/function', operator: 'In' });
  expect((at(selected(ofFunctions), 'values') as string[]).toSorted()).toEqual(FUNCTIONS.map(functionName).toSorted());
  expect(ofFunctions?.spec).toMatchObject({ policyTypes: ['Egress'], egress: [] });
});
