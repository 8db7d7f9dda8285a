/** The API server and the functions agree about blocks that no network can have. */
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cidr, formatCidr, parseCidr, size } from './cidr.ts';
import { isUsable, USABLE_CEL } from './network-block.ts';
import { validateRules } from './schema/cel.ts';

const holds = (value: string): boolean =>
  validateRules({ type: 'string', 'x-kubernetes-validations': [{ rule: USABLE_CEL, message: 'no' }] }, value).length ===
  0;

test.for([
  '169.254.0.0/16',
  '169.254.4.0/24',
  '169.0.0.0/8',
  '127.0.0.0/24',
  '224.0.0.0/4',
  '239.0.0.0/16',
  '240.0.0.0/12',
  '255.255.255.255/32',
  '0.0.0.0/0',
  '0.1.0.0/16',
  '::/0',
  '::1/128',
  'fe80::/64',
  'ff02::/16',
])('no network can have %s', (text) => expect([isUsable(text), holds(text)]).toEqual([false, false]));

test.for([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.255.0.0/16',
  '198.18.0.0/15',
  '1.0.0.0/8',
  'fd00::/8',
  '2001:db8::/32',
  'x',
])('this rule has nothing against %s', (text) => expect([isUsable(text), holds(text)]).toEqual([true, true]));

const LISTED = new BlockList();
for (const [block, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  LISTED.addSubnet(block, prefix, 'ipv4');

const text = fc
  .tuple(fc.oneof(fc.ipV4(), fc.constantFrom('127.9.9.9', '169.254.7.7', '230.1.1.1')), fc.integer({ min: 1, max: 32 }))
  .map(([address, prefix]) => aroundOf(address, prefix));

test('of any block', () => {
  fc.assert(
    fc.property(text, (block) => {
      const { base, ...rest } = parseCidr(block) as Cidr;
      const last = formatCidr({ ...rest, prefix: 32, base: base + size({ ...rest, base }) - 1n }).slice(0, -3);
      const inside = [block.split('/')[0] ?? '', last].some((address) => LISTED.check(address, 'ipv4'));
      expect(holds(block)).toBe(isUsable(block));
      // A larger block may have both of its ends outside, and one of these inside.
      fc.pre(inside || rest.prefix >= 16);
      expect(isUsable(block)).toBe(!inside);
    }),
  );
});

function aroundOf(address: string, prefix: number): string {
  const value = address.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const hostBits = BigInt(32 - prefix);
  return formatCidr({ family: 4, prefix, base: (value >> hostBits) << hostBits });
}
