/** A word that another project or a cloud has for a value is told ours, and only where ours is accepted. */
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { COMPOSITES } from './kinds/definitions.ts';
import { Cluster } from './kinds/cluster.ts';
import { NodePool } from './kinds/node-pool.ts';
import { didYouMean } from './nearest.ts';
import { OTHER_WORDS } from './other-words.ts';
import { layersOf } from './schema/path.ts';

function enumsOf(schema: z.ZodType): readonly (readonly string[])[] {
  return layersOf(schema).flatMap((one) => {
    if (one instanceof z.ZodEnum) return [one.options.map(String)];
    if (one instanceof z.ZodArray) return enumsOf(one.element as z.ZodType);
    return one instanceof z.ZodObject ? Object.values(one.shape).flatMap((member) => enumsOf(member as z.ZodType)) : [];
  });
}

const FORMATS = ['cloud-init', 'ignition', 'cloudbase-init'];
const LISTS = [
  ...[Cluster, NodePool].flatMap((kind) => enumsOf(kind.shape.spec)),
  COMPOSITES.map(({ kind }) => kind),
  FORMATS,
];

describe.for([...OTHER_WORDS])('%s', ([word, others]) => {
  test('is a value, a format or a kind of ours', () => {
    expect(LISTS.filter((list) => list.includes(word))).not.toEqual([]);
  });

  test.for(others)('is not told where %s is accepted itself', (other) => {
    const both = LISTS.filter((list) => list.includes(word) && list.some((one) => one.toLowerCase() === other));
    expect(both).toEqual([]);
  });
});

test('no word of others has two of ours in one list', () => {
  const told = LISTS.flatMap((list) => {
    const others = list.flatMap((word) => OTHER_WORDS.get(word) ?? []);
    return others.filter((other, index) => others.indexOf(other) !== index);
  });
  expect(told).toEqual([]);
});

test.for([
  { wrote: 'a', names: ['eu-west-1a', 'eu-west-1b'], meant: 'eu-west-1a', why: 'a zone by its letter' },
  { wrote: 'B', names: ['europe-west1-a', 'europe-west1-b'], meant: 'europe-west1-b', why: 'in capitals' },
  { wrote: '1', names: ['westeurope-1', 'westeurope-2'], meant: 'westeurope-1', why: 'a zone by its number' },
  { wrote: '1', names: ['a-1', 'b-1'], meant: undefined, why: 'two end so' },
  { wrote: '', names: ['a-'], meant: undefined, why: 'nothing was written' },
  { wrote: 'e', names: ['europe'], meant: undefined, why: 'it is only a letter of a word' },
  { wrote: 'cloud-config', names: FORMATS, meant: 'cloud-init', why: 'what its file is called' },
  { wrote: 'MachineDeployment', names: ['Cluster', 'NodePool'], meant: 'NodePool', why: 'of Cluster API' },
])('$wrote among $names is told $meant: $why', ({ wrote, names, meant }) => {
  expect(didYouMean(wrote, names)).toBe(meant === undefined ? '' : `; did you mean "${meant}"?`);
});
