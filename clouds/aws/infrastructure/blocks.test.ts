import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cidr, formatCidr, overlaps, parseCidr, size } from '#lib/api/cidr.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type Blocks, blocksOf, nodeBlock } from './blocks.ts';

const owner = 'Cluster "team-a/prod"';
const parsed = (text: string): Cidr => {
  const block = parseCidr(text);
  if (block === undefined) throw new Error(`${text} is no block`);
  return block;
};

const aBlock = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 16, max: 22 }))
  .map(([address, prefix]): Cidr => ({
    family: 4,
    base: (BigInt(address) >> BigInt(32 - prefix)) << BigInt(32 - prefix),
    prefix,
  }));
const someZones = fc.subarray(Array.from('abcdefg'), { minLength: 1 });

const observedOf = (zones: readonly (readonly [string, Blocks])[]): Map<string, KubeObject> =>
  new Map(
    zones.flatMap(([zone, blocks]) =>
      (['public', 'private'] as const).map((access): [string, KubeObject] => [
        `subnet-${access}-${zone}`,
        { apiVersion: 'v1', kind: 'Subnet', spec: { forProvider: { cidrBlock: blocks[access] } } },
      ]),
    ),
  );

test('subnets lie in the block, do not overlap, and are large enough for AWS', () => {
  fc.assert(
    fc.property(aBlock, someZones, (block, zones) => {
      expect(nodeBlock(formatCidr(block), owner)).toEqual(block);
      const all = blocksOf(block, zones, new Map(), owner).flatMap(([, { public: a, private: b }]) =>
        [a, b].map(parsed),
      );
      all.forEach((one, i) => {
        expect(one.prefix).toBeLessThanOrEqual(28);
        expect(one.base >= block.base && one.base + size(one) <= block.base + size(block)).toBe(true);
        expect(all.slice(i + 1).some((other) => overlaps(one, other))).toBe(false);
      });
    }),
  );
});

test('a new zone does not change the blocks of existing zones, in any order and whatever is observed of them', () => {
  fc.assert(
    fc.property(aBlock, someZones, someZones, fc.boolean(), (block, before, added, half) => {
      const old = blocksOf(block, before, new Map(), owner);
      const seen = observedOf(old);
      if (half) for (const [zone] of old) seen.delete(`subnet-public-${zone}`);
      const zones = [...new Set([...added, ...before])];
      const now = blocksOf(block, zones, seen, owner);
      for (const [zone, blocks] of old) expect(now.find(([name]) => name === zone)?.[1]).toEqual(blocks);
      expect(new Set(now.map(([, blocks]) => blocks.private)).size).toBe(zones.length);
    }),
  );
});

test('refuses a zone that has no free block left, because a subnet needs addresses', () => {
  const zones = Array.from('abcdefgh');
  expect(() => blocksOf(parsed('10.0.0.0/16'), zones, new Map(), owner)).toThrow(
    expect.objectContaining({
      code: 'InvalidInput',
      message:
        'cannot accept ClusterInput of the Composition: zones: "h" is not accepted; accepted: at most 7 zones, since Cluster "team-a/prod" has no address block left',
    }),
  );
});
