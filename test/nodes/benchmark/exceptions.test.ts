import { expect, it, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences, exceptionsIn, type Failure } from './exceptions.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8');
const TABLE = `
| check      | CIS    | on            | asks for | why not    |
| ---------- | ------ | ------------- | -------- | ---------- |
| \`KCV-0001\` | 1.2.1  | control plane | a flag   | a reason   |
| \`KCV-0069\` | 4.1.1  | both          | a mode   | its image  |
`;
const failure = (check: string, control: string, on: Failure['on']): Failure => ({
  check,
  control,
  on,
  title: 'Ensure',
});
const [FLAG, MODE] = [failure('KCV-0001', '1.2.1', 'control plane'), failure('KCV-0069', '4.1.1', 'control plane')];

test.for([
  { name: 'what fails is what the page lists', failures: [FLAG, MODE, { ...MODE, on: 'worker' as const }], lines: [] },
  {
    name: 'an exception that one role does not need',
    failures: [FLAG, MODE],
    lines: ['KCV-0069 (4.1.1) is an exception that a worker does not need'],
  },
  {
    name: 'a failure that is new on a role',
    failures: [FLAG, { ...FLAG, on: 'worker' as const }, MODE, { ...MODE, on: 'worker' as const }],
    lines: ['KCV-0001 (1.2.1) fails on a worker: Ensure'],
  },
  {
    name: 'a number that is not that of the check',
    failures: [{ ...FLAG, control: '1.2.2' }, MODE, { ...MODE, on: 'worker' as const }],
    lines: [
      'KCV-0001 (1.2.2) fails on a control plane: Ensure',
      'KCV-0001 (1.2.1) is an exception that a control plane does not need',
    ],
  },
])('$name', ({ failures, lines }) => {
  expect(differences(failures, exceptionsIn(TABLE))).toEqual(lines);
});

it('has a role and a reason for each row of the page', () => {
  const exceptions = exceptionsIn(PAGE);
  expect(exceptions.length).toBeGreaterThan(0);
  expect(exceptions.filter(({ on, reason }) => on.length === 0 || reason === '')).toEqual([]);
  expect(exceptions).toHaveLength(PAGE.match(/^\| `KCV-/gm)?.length ?? 0);
});
