import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiVersionOf, AWS_KINDS, groupOf, hasRegion, isOfAws, MACHINE_KINDS } from './kinds.ts';
import { AWS as SIMULATED } from './simulated/aws.ts';

const ACTIVATION = join(import.meta.dirname, '../../package/configuration-aws/activation.yaml');

test('the simulated cloud knows every kind in the same version', () => {
  const known = SIMULATED.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(known).toEqual(expect.arrayContaining(AWS_KINDS.map((kind) => `${apiVersionOf(kind)} ${kind}`)));
});

test('where Crossplane activates no kind by itself, every kind of the list is activated, and no other kind of AWS', () => {
  const { spec } = parse(readFileSync(ACTIVATION, 'utf8')) as { spec: { activate: readonly string[] } };
  const plural = (kind: string): string => `${kind.toLowerCase()}s`.replace(/([^aeiou])ys$/, '$1ies');
  const wanted = AWS_KINDS.map((kind) => `${plural(kind)}.${groupOf(kind)}`);
  expect(spec.activate.filter((name) => name.endsWith('.aws.m.upbound.io')).toSorted()).toEqual(wanted.toSorted());
});

test('identity objects have no region', () => {
  expect(AWS_KINDS.filter((kind) => !hasRegion(kind))).toEqual(['Role', 'RolePolicy', 'InstanceProfile']);
});

test('an object belongs to AWS by its group, in any version', () => {
  expect(isOfAws({ apiVersion: 'ec2.aws.m.upbound.io/v1beta7', kind: 'Anything' })).toBe(true);
  expect(isOfAws({ apiVersion: 'v1', kind: 'Secret' })).toBe(false);
});

test('the machine step composes only kinds of the list', () => {
  expect(AWS_KINDS).toEqual(expect.arrayContaining([...MACHINE_KINDS]));
});
