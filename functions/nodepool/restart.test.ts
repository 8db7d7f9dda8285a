/** Machines that are older than `update.expireAfter` are replaced, each once. */
import { expect, test } from 'vitest';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { parseAs } from '#lib/api/parse.ts';
import { aNodePool } from '../../test/support/claims.ts';
import { rolloutAfterOf } from './restart.ts';

const HOUR = 3600_000;
const BORN = Date.parse('2026-01-01T00:00:00Z');
const EXPIRES = '2026-01-31T00:00:00Z';
const poolWith = (update: object) => parseAs(NodePool, aNodePool({ spec: { update: { ...update } } }), 'the pool');
const machine = (createdAt: number, rolloutAfter?: string) =>
  ({ slot: 0, createdAt, rolloutAfter }) as Parameters<typeof rolloutAfterOf>[1][number];
const asked = (
  hours: number,
  machines: Parameters<typeof rolloutAfterOf>[1],
  update: object = { expireAfter: '720h' },
) => rolloutAfterOf(poolWith(update), machines, 0, BORN + hours * HOUR);

test('a machine gets another value, which replaces it, at the moment when it is as old', () => {
  expect(asked(719, [machine(BORN)])).toBeUndefined();
  expect(asked(720, [machine(BORN)])).toBe(EXPIRES);
});

test('its replacement has this value and keeps it until it is as old itself', () => {
  const next = machine(BORN + 721 * HOUR, EXPIRES);
  expect(asked(722, [machine(BORN), next]), 'while the old one is still there').toBe(EXPIRES);
  expect(asked(1440, [next])).toBe(EXPIRES);
  expect(asked(1441, [next])).toBe('2026-03-02T01:00:00Z');
});

test('without it, machines live for ever; a restart that is asked for comes first', () => {
  expect(asked(100_000, [machine(BORN)], {})).toBeUndefined();
  const both = { expireAfter: '720h', rolloutAfter: '2026-02-01T00:00:00Z' };
  expect(asked(1000, [machine(BORN)], both)).toBe('2026-02-01T00:00:00Z');
});

test('a life of less than a day is refused: the pool would never do anything else', () => {
  expect(() => poolWith({ expireAfter: '10m' })).toThrow('hours from 24h on, such as 8000h');
});
