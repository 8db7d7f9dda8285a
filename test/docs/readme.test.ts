/** The figures of the README are those of the project. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FUNCTIONS, ROOT } from '../../cli/files/repository.ts';
import { matrix } from '../../cli/matrix/matrix.ts';
import { tableIn } from './pages.ts';

const page = readFileSync(join(ROOT, 'README.md'), 'utf8');
const WORDS = [
  'none',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const cell = (row: string): string =>
  tableIn('README.md', '', 'Slipway', 'Cluster API').find(([head]) => head === row)?.[1] ?? '';

test('as many functions as there are', () => {
  const { length } = FUNCTIONS;
  expect(page).toMatch(new RegExp(`${WORDS[length] ?? ''} small gRPC functions`, 'i'));
  expect(page).toContain(`Three kinds, three pipelines, ${WORDS[length] ?? ''} functions`);
  expect(cell('runs in the control plane')).toContain(`${length} functions`);
});

test('as many bootstrap providers as there are', () => {
  expect(cell('bootstrap providers')).toMatch(new RegExp(`^${matrix().rows.length}, `));
});

test('the clouds that have Compositions', () => {
  const flavours = readdirSync(join(ROOT, 'compositions'));
  const named = cell('clouds')
    .match(/\b[A-Z][A-Za-z]{2,}\b/g)
    ?.map((cloud) => cloud.toLowerCase());
  expect(named).toEqual(flavours.filter((one) => one !== 'existing').toSorted());
  expect(cell('clouds').includes('existing hosts')).toBe(flavours.includes('existing'));
});

test('machines that were booted, in the limits and in the status', () => {
  const booted = readdirSync(join(ROOT, 'test/nodes/distributions'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace('.yaml', ''));
  const said = [/Machines were booted with (.*?) and\s+cloud-init/, /real nodes: (.*?) with cloud-init/];
  for (const words of said) expect(words.exec(page)?.[1]?.split(' and ').toSorted()).toEqual(booted.toSorted());
});

test('the pictures', () => {
  expect(page.match(/(\d+) functions {2,}│/)?.[1]).toBe(String(FUNCTIONS.length));
});

test('what it is, and its limits, before anything else', () => {
  const first = page.slice(0, page.indexOf('## '));
  expect(first).toContain('**Limits today.**');
  const prose = first.slice(0, first.indexOf('**Limits today.**'));
  expect(prose.trim().split('\n').length, 'what and why').toBeLessThanOrEqual(14);
});
