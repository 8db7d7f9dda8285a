import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { writerOf } from './writer.ts';

const entry = (manager: string, time: string, subresource?: string) => ({
  manager,
  time,
  ...(subresource === undefined ? {} : { subresource }),
});
const written = (...managedFields: object[]): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', managedFields } }) as KubeObject;
const HASH = '7cb38ad98b46f2bc3293b7b52b04a02abf5f327638ba4ba0433f83d437e782d3';

test.for<{ who: string; before?: KubeObject; after: KubeObject; writer: string }>([
  { who: 'created it', after: written(entry('kubectl', '1')), writer: 'kubectl' },
  {
    who: 'is new among several',
    before: written(entry('kubectl', '2')),
    after: written(entry('kubectl', '2'), entry('provider', '1')),
    writer: 'provider',
  },
  {
    who: 'wrote again',
    before: written(entry('kubectl', '1'), entry('provider', '2')),
    after: written(entry('kubectl', '3'), entry('provider', '2')),
    writer: 'kubectl',
  },
  {
    who: 'took over fields of another',
    before: written(entry('crossplane-core', '1')),
    after: written(entry('crossplane-core', '1', 'status'), entry('apiextensions.crossplane.io/composite', '2')),
    writer: 'composite',
  },
  {
    who: 'composes it',
    after: written(entry(`apiextensions.crossplane.io/composed/${HASH}`, '1')),
    writer: 'composed',
  },
  { who: 'is unknown', after: written(), writer: '?' },
])('$writer: it $who', ({ before, after, writer }) => {
  expect(writerOf(before, after)).toBe(writer);
});
