import { BlockList, isIPv4, isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, type Cidr, formatCidr, networksOf, overlaps, parseCidr, size, subnet } from './cidr.ts';

const blocks = fc.constantFrom(4 as const, 6 as const).chain((family) => {
  const width = family === 4 ? 32 : 128;
  return fc
    .tuple(fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }), fc.nat({ max: width }))
    .map(([address, prefix]): Cidr => {
      const hostBits = BigInt(width - prefix);
      return { family, base: (address >> hostBits) << hostBits, prefix };
    })
    .filter(({ family, base }) => family === 4 || base >> 32n !== 0xffffn); // IPv4-mapped IPv6 addresses are refused
});
const FAMILIES = ['ipv4', 'ipv6'] as const;
const kindOf = ({ family }: Cidr) => FAMILIES[family === 4 ? 0 : 1];

/** The result of Node itself, which shares no code with ours. */
function contains(outer: Cidr, inner: Cidr): boolean {
  if (outer.family !== inner.family) return false;
  const list = new BlockList();
  const [network = '', prefix = ''] = formatCidr(outer).split('/');
  list.addSubnet(network, Number(prefix), kindOf(outer));
  return list.check(formatCidr(inner).split('/')[0] ?? '', kindOf(inner));
}

test('a written block is read back, and is an address to Node', () => {
  fc.assert(
    fc.property(blocks, (block) => {
      const text = formatCidr(block);
      expect(parseCidr(text)).toEqual(block);
      expect((block.family === 4 ? isIPv4 : isIPv6)(text.split('/')[0] ?? '')).toBe(true);
    }),
  );
});

test('the block that an address with a prefix is in has that address and that prefix', () => {
  const addresses = fc.tuple(blocks, fc.nat({ max: 128 }));
  fc.assert(
    fc.property(addresses, ([block, length]) => {
      const prefix = Math.min(length, block.prefix);
      for (const meant of [blocksOf, networksOf]) {
        const [text = ''] = meant(`${formatCidr(block).split('/')[0] ?? ''}/${prefix}`);
        const found = parseCidr(text);
        expect(found?.prefix, text).toBe(prefix);
        expect(found !== undefined && contains(found, block), text).toBe(true);
      }
    }),
  );
});

test.for([
  ['10.0.0.1', '10.0.0.1/32', undefined],
  ['10.244.0.0', undefined, '10.244.0.0/16'],
  ['0.0.0.0', '0.0.0.0/0', undefined],
  ['2001:db8::', undefined, '2001:db8::/32'],
  ['10.0.0.1/33', undefined, undefined],
  ['10.0.0', undefined, undefined],
  ['10.0.0.0/8/8', undefined, undefined],
] as const)('%s is taken for the block %s, and for the network %s', ([text, block, network]) => {
  expect([blocksOf(text)[0], networksOf(text)[0]]).toEqual([block, network]);
});

test('two blocks overlap exactly when one contains the first address of the other', () => {
  const near = fc.tuple(blocks, fc.nat({ max: 4 })).map(([block, up]): readonly [Cidr, Cidr] => {
    const prefix = Math.max(0, block.prefix - up);
    const hostBits = BigInt((block.family === 4 ? 32 : 128) - prefix);
    return [block, { family: block.family, base: (block.base >> hostBits) << hostBits, prefix }];
  });
  fc.assert(
    fc.property(fc.oneof(near, fc.tuple(blocks, blocks)), ([left, right]) => {
      expect(overlaps(left, right)).toBe(contains(left, right) || contains(right, left));
      expect(overlaps(right, left)).toBe(overlaps(left, right));
    }),
  );
});

test('the parts of a block lie in it, do not overlap, and fill it', () => {
  fc.assert(
    fc.property(blocks, fc.integer({ min: 0, max: 6 }), (block, bits) => {
      const width = block.family === 4 ? 32 : 128;
      fc.pre(block.prefix + bits <= width);
      const parts = Array.from({ length: 2 ** bits }, (_, n) => subnet(block, block.prefix + bits, n));
      const made = parts.filter((part) => part !== undefined);
      expect(made).toHaveLength(2 ** bits);
      expect(made.every((part) => contains(block, part))).toBe(true);
      expect(made.reduce((sum, part) => sum + size(part), 0n)).toBe(size(block));
      expect(made.every((part, n) => n === 0 || part.base === (made[n - 1]?.base ?? 0n) + size(part))).toBe(true);
      expect(subnet(block, block.prefix + bits, 2 ** bits)).toBeUndefined();
    }),
  );
});

test.for([
  { text: '10.0.0.0', reason: 'no length' },
  { text: '10.0.0.0/', reason: 'no length' },
  { text: '10.0.0.0/33', reason: 'longer than an address' },
  { text: '10.0.0.0/08', reason: 'the API server accepts no leading zeros' },
  { text: '10.0.0.1/8', reason: 'host bits' },
  { text: '010.0.0.0/8', reason: 'octal or decimal, which is ambiguous' },
  { text: '10.0/16', reason: 'an abbreviation' },
  { text: '167772160/8', reason: 'one number' },
  { text: '0x0a.0.0.0/8', reason: 'hexadecimal' },
  { text: '256.0.0.0/8', reason: 'not a byte' },
  { text: 'fd00::/129', reason: 'longer than an address' },
  { text: 'fd00::1/64', reason: 'host bits' },
  { text: '1::2::3/128', reason: 'two gaps' },
  { text: 'fe80::%eth0/64', reason: 'a zone' },
  { text: '::ffff:10.0.0.0/104', reason: 'an IPv4-mapped IPv6 address' },
  { text: ' 10.0.0.0/8', reason: 'a space' },
  { text: '', reason: 'nothing' },
])('"$text" is not a block: $reason', ({ text }) => {
  expect(parseCidr(text)).toBeUndefined();
});
