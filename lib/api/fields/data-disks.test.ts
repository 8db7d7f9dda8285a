/** Data disks of a claim are told apart by name: the API server keeps a list with one item for each. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MachineTemplate } from './machine-template.ts';

const withDisks = (...names: string[]): unknown => ({
  class: 'standard-4',
  dataDisks: names.map((name) => ({ name, sizeGiB: 20 })),
});

test('a name is there once', () => {
  expect(MachineTemplate.safeParse(withDisks('data', 'logs')).success).toBe(true);
  const twice = MachineTemplate.safeParse(withDisks('data', 'data'));
  expect(twice.error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['dataDisks'], 'has the name "data" twice; accepted: each name once'],
  ]);
});

test('eight disks are accepted, and no more', () => {
  const names = 'abcdefghi'.split('');
  expect(MachineTemplate.safeParse(withDisks(...names.slice(0, 8))).success).toBe(true);
  expect(MachineTemplate.safeParse(withDisks(...names)).success).toBe(false);
});

test('the API server has the rule as well', () => {
  expect(JSON.stringify(z.toJSONSchema(MachineTemplate, { io: 'input' }))).toContain(
    '"x-kubernetes-list-map-keys":["name"]',
  );
});
