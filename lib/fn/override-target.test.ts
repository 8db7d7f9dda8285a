import { describe, expect, test } from 'vitest';
import { refusedResource } from './override-target.ts';

const NAMES = ['instance', 'disk-*'];
const refused = (resource: string) => refusedResource({ kind: 'Instance', resource, patch: {} }, NAMES)?.message;

describe('the resource of an override', () => {
  test.for(['instance', 'inst*', '*', '*nce', 'disk-data', 'disk-*', 'disk-d*', 'd*'])(
    'may be named %s',
    (resource) => {
      expect(refused(resource)).toBeUndefined();
    },
  );

  test.for([
    ['instnace', 'instance, disk-*; did you mean "instance"?'],
    ['disc-*', 'instance, disk-*; did you mean "disk-*"?'],
    ['vm', 'instance, disk-*'],
  ] as const)('is refused if nobody composes %s', ([resource, accepted]) => {
    expect(refused(resource)).toBe(`"${resource}" is not accepted; accepted: ${accepted}`);
  });

  test('is not judged where names are not known, or none is said', () => {
    expect(refusedResource({ kind: 'Instance', resource: 'vm', patch: {} }, undefined)).toBeUndefined();
    expect(refusedResource({ kind: 'Instance', patch: {} }, NAMES)).toBeUndefined();
  });
});
