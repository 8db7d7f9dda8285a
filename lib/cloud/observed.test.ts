/** What is read of a managed resource: garbage is never taken for a value that is not known yet. */
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { output } from './observed.ts';

const reporting = (atProvider?: JsonObject | readonly string[] | null) => ({
  apiVersion: 'example.com/v1',
  kind: 'Network',
  metadata: { namespace: 'team-a', name: 'prod-network' },
  status: atProvider === undefined ? {} : { atProvider },
});

test.for([
  { name: 'nothing is reported', reported: undefined },
  { name: 'the report is empty', reported: null },
  { name: 'the id is missing', reported: { name: 'x' } },
  { name: 'the id is empty, as providers write what they do not know', reported: { id: '' } },
])('not known yet: $name', ({ reported }) => {
  expect(output(reporting(reported), 'id')).toBeUndefined();
});

test.for([
  { name: 'a number', reported: { id: 42 }, why: 'status.atProvider.id: 42 is not accepted; accepted: a string' },
  { name: 'a list', reported: ['x'], why: 'status.atProvider: ["x"] is not accepted; accepted: an object' },
])('$name is refused with the name of the object', ({ reported, why }) => {
  expect(() => output(reporting(reported), 'id')).toThrow(`cannot read Network "team-a/prod-network": ${why}`);
});
