import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { JsonObject } from '#lib/api/json.ts';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import { AWS_FIELDS } from '#clouds/aws/fields.ts';
import { CLOUD_FIELDS } from '#clouds/fields.ts';
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { type Field, FIELDS } from '#lib/cloud/fields.ts';
import { InPlaceUpdateInput } from '../../functions/in-place-update/input.ts';
import { rulebook } from '../../functions/in-place-update/rulebook.ts';
import { readExtract, readSource, rulesPath } from './files.ts';
import { refusedRules } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const clouds = Object.entries(CLOUD_FIELDS).map(([name, cloud]) => ({ name, cloud }));
const fileOf = (name: string): InPlaceUpdateInput =>
  InPlaceUpdateInput.parse(parse(readFileSync(join(ROOT, rulesPath(name)), 'utf8')));

describe('the rules of a cloud', () => {
  test.for(clouds)('never patch what the provider refuses or what stops the machine: $name', ({ name, cloud }) => {
    expect(refusedRules(fileOf(name).rules, cloud, readExtract(name))).toEqual([]);
  });

  test.for(clouds)('are accepted by the function: $name', ({ name }) => {
    expect(rulebook(fileOf(name)).faults).toEqual([]);
    expect(fileOf(name).rules.length).toBeGreaterThan(5);
  });

  test.for([
    { path: 'spec.machine.image', why: 'becomes ami, which the provider refuses to change' },
    { path: 'spec.machine.class', why: 'becomes instanceType, which stops the machine' },
    { path: 'spec.machine.rootDisk', why: 'rootBlockDevice.encrypted, which the provider refuses to change' },
    { path: 'spec.provisioning', why: 'is applied by the first boot' },
    { path: 'spec.rolloutAfter', why: 'is applied by the first boot' },
    { path: 'spec', why: 'becomes ami' },
    { path: 'spec.nothing', why: 'is not a field of a Machine' },
  ])('may not patch $path', ({ path, why }) => {
    const rules = [
      { path: 'spec.labels', decision: 'Patch' },
      { path, decision: 'Patch' },
    ];
    const mutability = readExtract('aws');
    expect(refusedRules(rules, AWS_FIELDS, mutability).join('\n')).toContain(why);
    expect(refusedRules(rules, AWS_FIELDS, mutability)[0]).toMatch(/^rules\[1\]: /);
  });

  test.for(clouds.filter(({ name }) => existsSync(join(ROOT, 'compositions', name))))(
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

describe('the table of fields', () => {
  it('has every field of a Machine, so that a new one cannot be forgotten', () => {
    const unknown = leaves(MachineSpec, 'spec').filter(
      (leaf) => !FIELDS.some(({ path }: Field) => leaf === path || leaf.startsWith(`${path}.`)),
    );
    expect(unknown.filter((leaf) => !leaf.startsWith('spec.update.'))).toEqual([]);
  });

  test.for(clouds)(
    'says for each field in the cloud what the provider does with a change: $name',
    ({ name, cloud }) => {
      const { accepted, refused } = readExtract(name)[cloud.kind]!;
      for (const { field, change } of cloud.made) {
        const isRefused = [...refused, ...(cloud.alsoReplaces ?? [])].some((other) => isAtOrBelow(field, other));
        expect(isRefused, `${field}: ${change}`).toBe(change === 'Replaces');
        expect(isRefused || accepted.includes(field), `${field}: the provider knows it`).toBe(true);
      }
    },
  );

  test.for(clouds.filter(({ cloud }) => readSource(cloud) !== undefined))(
    'agrees with the current version of the provider: $name',
    ({ name, cloud }) => {
      expect(readExtract(name)).toEqual(readSource(cloud));
    },
  );
});

function leaves(schema: z.ZodType, path: string): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return leaves(schema.unwrap() as z.ZodType, path);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([key, member]) => leaves(member as z.ZodType, `${path}.${key}`));
}
