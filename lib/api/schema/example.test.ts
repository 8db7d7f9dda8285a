/** Who follows the example of a refusal is not refused again. */
import { z } from 'zod';
import { expect, test } from 'vitest';
import { Cluster } from '../kinds/cluster.ts';
import { Machine } from '../kinds/machine.ts';
import { NodePool } from '../kinds/node-pool.ts';
import { layersOf, wordsOf } from './path.ts';

function textsOf(schema: z.ZodType, path: string): readonly (readonly [string, z.ZodString])[] {
  return layersOf(schema).flatMap((one) => {
    if (one instanceof z.ZodString) return [[path, one] as const];
    if (one instanceof z.ZodArray) return textsOf(one.element as z.ZodType, `${path}[]`);
    if (!(one instanceof z.ZodObject)) return [];
    return Object.entries(one.shape).flatMap(([name, member]) => textsOf(member as z.ZodType, `${path}.${name}`));
  });
}

const exampleIn = (words = ''): string | undefined => /such as "?([^\s,;"]+)/.exec(words)?.[1]?.replace(/[.:]$/, '');

test.for([
  ['Cluster', Cluster],
  ['NodePool', NodePool],
  ['Machine', Machine],
] as const)('every text of a %s accepts the example that its refusal names', ([, kind]) => {
  const examples = textsOf(kind.shape.spec, 'spec').flatMap(([path, text]) =>
    (text._zod.def.checks ?? [])
      .map((check) => exampleIn(wordsOf(check)))
      .filter((example) => example !== undefined)
      .map((example) => ({ path, example, isAccepted: text.safeParse(example).success })),
  );
  expect(examples.length, 'it did look').toBeGreaterThan(20);
  expect(examples.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
});
