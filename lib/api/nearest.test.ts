import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { didYouMean, distance, nearest, oneOf } from './nearest.ts';

const FIELDS = ['bootstrap', 'labels', 'machine', 'paused', 'provisioning', 'replicas', 'role', 'version'];
const CLASSES = ['standard-2', 'standard-4', 'standard-8'];

test.for([
  { name: 'a letter too few', wrote: 'replica', names: FIELDS, meant: 'replicas' },
  { name: 'a letter too many', wrote: 'machiine', names: FIELDS, meant: 'machine' },
  { name: 'another letter', wrote: 'verzion', names: FIELDS, meant: 'version' },
  { name: 'neighbours swapped', wrote: 'standrad-2', names: CLASSES, meant: 'standard-2' },
  { name: 'capitals', wrote: 'Nodepool', names: ['Cluster', 'NodePool'], meant: 'NodePool' },
  { name: 'a group', wrote: 'slipway.dve', names: ['slipway.dev', 'node.slipway.dev'], meant: 'slipway.dev' },
  { name: 'a flag', wrote: '--otput', names: ['--output', '--output-file', '--seed'], meant: '--output' },
  { name: 'several equally near', wrote: 'standard-3', names: CLASSES, meant: undefined },
  { name: 'another word', wrote: 'size', names: FIELDS, meant: undefined },
  { name: 'a short word, of which a letter is much', wrote: 'gcp', names: ['aws', 'azure'], meant: undefined },
  { name: 'one of three letters', wrote: 'zfs', names: ['ext4', 'xfs'], meant: undefined },
  { name: 'one of two letters', wrote: 'np', names: ['cl', 'ma'], meant: undefined },
  { name: 'no text', wrote: 7, names: ['7'], meant: undefined },
  { name: 'nothing to choose from', wrote: 'replica', names: [], meant: undefined },
  { name: 'a text that is no name', wrote: 'r'.repeat(5000), names: ['r'.repeat(4999)], meant: undefined },
])('the nearest name: $name', ({ wrote, names, meant }) => {
  expect(nearest(wrote, names)).toBe(meant);
});

test.for([
  ['class', ['classes', 'images'], 'classes'],
  ['addresses', ['address', 'port'], 'address'],
  ['policy', ['policies', 'rules'], 'policies'],
  ['Class', ['classes'], 'classes'],
] as const)('%s is one of %s, or several: %s', ([wrote, names, meant]) => {
  expect(didYouMean(wrote, names)).toBe(`; did you mean "${meant}"?`);
});

describe('a message that refuses a name', () => {
  it('ends with the one that was probably meant', () => {
    expect(`unknown field; accepted: ${oneOf('replica', FIELDS)}`).toMatch(/version; did you mean "replicas"\?$/);
    expect(didYouMean('size', FIELDS)).toBe('');
  });
});

describe('the distance of two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it('is zero for the same word alone, and the same both ways', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(distance(a, b) === 0).toBe(a === b);
        expect(distance(a, b)).toBe(distance(b, a));
      }),
    );
  });

  it('is at least what the lengths differ by, and at most the length of the longer', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(distance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  it('is one after one typing error', () => {
    fc.assert(
      fc.property(word, fc.nat(8), (a, at) => {
        const i = Math.min(at, a.length);
        expect(distance(a, `${a.slice(0, i)}x${a.slice(i)}`)).toBe(1);
        const swapped = `${a.slice(0, i)}${a[i + 1] ?? ''}${a[i] ?? ''}${a.slice(i + 2)}`;
        expect(distance(a, swapped)).toBe(swapped === a ? 0 : 1);
      }),
    );
  });
});
