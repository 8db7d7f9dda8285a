/** The example of AWS on its simulated cloud, from claim to Ready: what its provider is told, and what it leaves alone. */
import { beforeAll, expect, test } from 'vitest';
import { emptyIn, type Played, playExample } from './example.ts';

let played: Played;

beforeAll(async () => {
  played = await playExample('aws');
});

test('becomes Ready', () => {
  expect(played.reached).toBe(true);
  expect(played.first.size).toBeGreaterThan(70);
});

test('its provider is told no empty list, no empty map and no null', () => {
  expect(emptyIn(played)).toEqual([]);
});
