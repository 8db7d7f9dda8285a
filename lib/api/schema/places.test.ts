/** A field at the wrong level is told its place, and a word that only looks like another field far away is not. */
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { Cluster } from '../kinds/cluster.ts';
import { NodePool } from '../kinds/node-pool.ts';
import { layersOf } from './path.ts';
import { placeOf } from './places.ts';

const ITEM = 0;
type Path = readonly (string | typeof ITEM)[];

interface Around {
  readonly path: Path;
  readonly names: readonly string[];
}

function objectsOf(schema: z.ZodType, path: Path): readonly Around[] {
  return layersOf(schema).flatMap((one) => {
    if (one instanceof z.ZodArray) return objectsOf(one.element as z.ZodType, [...path, ITEM]);
    if (!(one instanceof z.ZodObject)) return [];
    const fields = Object.entries(one.shape) as [string, z.ZodType][];
    const below = fields.flatMap(([name, member]) => objectsOf(member, [...path, name]));
    return [{ path, names: fields.map(([name]) => name) }, ...below];
  });
}

const isApart = (path: Path): boolean => path.some((step) => step === ITEM || /(Refs?|From|Selector)$/.test(step));

describe.for([
  ['Cluster', Cluster],
  ['NodePool', NodePool],
] as const)('in every object of a %s, any name of its fields', ([, schema]) => {
  const objects = objectsOf(schema.shape.spec, ['spec']);
  const names = [...new Set(objects.flatMap((one) => one.names))];
  const told = objects.flatMap((object) =>
    names
      .filter((name) => !object.names.includes(name))
      .flatMap((name) => {
        const place = placeOf(schema, name, object.path);
        return place === undefined ? [] : [{ name, from: object.path, place }];
      }),
  );

  test('is told a place that exists, outside of lists and references, and of the same name', () => {
    expect(told.length, 'it did look').toBeGreaterThan(500);
    const fields = new Set(objects.flatMap(({ path, names: own }) => own.map((name) => [...path, name].join('.'))));
    expect(told.filter(({ name, place }) => !fields.has(place.join('.')) || place.at(-1) !== name)).toEqual([]);
    expect(told.filter(({ place }) => isApart(place.slice(0, -1)))).toEqual([]);
  });

  test('is told none in an item of a list or in a reference, which name something else', () => {
    expect(objects.filter(({ path }) => isApart(path)).length, 'it did look').toBeGreaterThan(10);
    expect(told.filter(({ from }) => isApart(from))).toEqual([]);
  });

  test('is told one that is at most two levels away, and two only where no other field has the name', () => {
    const levels = (from: Path, place: readonly string[]): number => {
      const shared = from.filter((_, i) => from.slice(0, i + 1).join('.') === place.slice(0, i + 1).join('.')).length;
      return from.length - shared + (place.length - 1) - Math.min(shared, place.length - 1);
    };
    const count = (name: string): number => objects.filter((object) => object.names.includes(name)).length;
    expect(told.filter(({ from, place }) => levels(from, place) > 2)).toEqual([]);
    expect(told.filter(({ name, from, place }) => levels(from, place) === 2 && count(name) > 1)).toEqual([]);
  });
});

test.for<readonly [string, Path, string | undefined, string]>([
  ['files', ['spec'], 'spec.provisioning.files', 'one level too high'],
  ['labels', ['spec', 'controlPlane', 'machine'], 'spec.controlPlane.labels', 'one level too deep'],
  ['class', ['spec'], 'spec.controlPlane.machine.class', 'two levels, and no other field is called so'],
  ['files', ['spec', 'bootstrap'], 'spec.provisioning.files', 'in the object beside its own'],
  ['type', ['spec', 'controlPlane', 'machine'], 'spec.controlPlane.machine.rootDisk.type', 'it was nearly there'],
  ['type', ['spec'], undefined, 'many have a type'],
  ['path', ['spec'], undefined, 'of a swap file, and of files'],
  ['kind', ['spec', 'crossplane', 'compositionRef'], undefined, 'a reference names another object'],
  ['kind', ['spec', 'infrastructure'], undefined, 'a field of a reference says what it names'],
  ['sizeGiB', ['spec', 'network'], undefined, 'a disk is far away'],
  ['format', ['spec', 'provisioning', 'files', ITEM], undefined, 'a file has no such thing'],
])('%s in %o of a Cluster is told %s: %s', ([name, path, place]) => {
  expect(placeOf(Cluster, name, path)?.join('.')).toBe(place);
});
