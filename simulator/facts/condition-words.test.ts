/** A line of the timeline is read by people who see it for the first time. */
import { expect, test } from 'vitest';
import { conditionWords } from './condition-words.ts';

test.for([
  {
    what: 'what is true is its name',
    condition: { type: 'Ready', status: 'True', reason: 'Available' },
    want: 'Ready',
  },
  {
    what: 'what has come to its end is no alarm',
    condition: { type: 'RollingOut', status: 'False', reason: 'NotRollingOut' },
    want: 'RollingOut is over',
  },
  {
    what: 'what has a reason says it',
    condition: { type: 'Ready', status: 'False', reason: 'Creating' },
    want: 'Ready is False: Creating',
  },
  {
    what: 'what should last is not over',
    condition: { type: 'Available', status: 'False', reason: 'NotAvailable' },
    want: 'Available is False: NotAvailable',
  },
  {
    what: 'a message says more than a reason',
    condition: { type: 'Available', status: 'False', reason: 'NotAvailable', message: 'waiting for one machine' },
    want: 'Available is False: waiting for one machine',
  },
  { what: 'what nobody says', condition: undefined, want: 'not ready any more' },
] as const)('$what', ({ condition, want }) => {
  const whole = condition && { ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' };
  expect(conditionWords(whole)).toBe(want);
});
