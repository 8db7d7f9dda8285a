import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { JsonObject } from '#lib/api/json.ts';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import { InPlaceUpdateInput } from '../input.ts';
import { rulebook } from '../rulebook.ts';
import { FIELDS, FLAVORS } from './fields.ts';
import { generatedRules, readExtract, readSource } from './generate.ts';
import { refusedRules } from './ruleset.ts';

const ROOT = join(import.meta.dirname, '../../..');
const source = readSource();
const mutability = readExtract();
const flavors = FLAVORS.map((flavor) => ({ name: flavor.name, flavor }));
const aws = FLAVORS.find(({ name }) => name === 'aws')!;
const fileOf = (name: string): InPlaceUpdateInput =>
  InPlaceUpdateInput.parse(parse(readFileSync(join(import.meta.dirname, `${name}.yaml`), 'utf8')));

describe('the rules of a flavor', () => {
  test.for(flavors)('never patch what the provider refuses or what stops the machine: $name', ({ name, flavor }) => {
    expect(refusedRules(fileOf(name).rules, flavor, mutability)).toEqual([]);
  });

  test.for(flavors)('are rules that mean what they say: $name', ({ name }) => {
    expect(rulebook(fileOf(name)).faults).toEqual([]);
    expect(fileOf(name).rules.length).toBeGreaterThan(5);
  });

  test.for([
    { path: 'spec.machine.image', why: 'is made into ami, which the provider refuses to change' },
    { path: 'spec.machine.class', why: 'is made into instanceType, which stops the machine' },
    { path: 'spec.machine.rootDisk', why: 'rootBlockDevice.encrypted, which the provider refuses to change' },
    { path: 'spec.provisioning', why: 'is made so by the first boot' },
    { path: 'spec.rolloutAfter', why: 'is made so by the first boot' },
    { path: 'spec', why: 'is made into ami' },
    { path: 'spec.nothing', why: 'is no field of a Machine' },
  ])('would be found out if they patched $path', ({ path, why }) => {
    const rules = [
      { path: 'spec.labels', decision: 'Patch' },
      { path, decision: 'Patch' },
    ];
    expect(refusedRules(rules, aws, mutability).join('\n')).toContain(why);
    expect(refusedRules(rules, aws, mutability)[0]).toMatch(/^rules\[1\]: /);
  });

  it('are what the table and the providers say, in the Composition, too', () => {
    for (const [path, text] of generatedRules(mutability))
      expect(readFileSync(join(ROOT, path), 'utf8'), `${path}: run functions/in-place-update/flavors/generate.ts`).toBe(
        text,
      );
  });

  test.for(flavors.filter(({ name }) => existsSync(join(ROOT, 'compositions', name))))(
    'are the input of the Composition: $name',
    ({ name }) => {
      const composition = parse(readFileSync(join(ROOT, `compositions/${name}/nodepool.yaml`), 'utf8')) as {
        spec: { pipeline: { step: string; input?: JsonObject }[] };
      };
      const step = composition.spec.pipeline.find((one) => one.step === 'in-place-update');
      expect(InPlaceUpdateInput.parse(step?.input)).toEqual(fileOf(name));
    },
  );
});

describe('the table they are made from', () => {
  it('knows every field of a Machine, so that a new one cannot slip in', () => {
    const unknown = leaves(MachineSpec, 'spec').filter(
      (leaf) => !FIELDS.some(({ path }) => leaf === path || leaf.startsWith(`${path}.`)),
    );
    expect(unknown.filter((leaf) => !leaf.startsWith('spec.update.'))).toEqual([]);
  });

  it.skipIf(source === undefined)('stands on what the providers say today', () => {
    expect(mutability).toEqual(source);
  });
});

function leaves(schema: z.ZodType, path: string): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return leaves(schema.unwrap() as z.ZodType, path);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([key, member]) => leaves(member as z.ZodType, `${path}.${key}`));
}
