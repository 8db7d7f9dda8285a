import { describe, expect, it, test } from 'vitest';
import { conditionFrom, type Seen } from './condition.ts';

const seen = (fields: Partial<Seen>): Seen => ({
  old: null,
  new: null,
  resource: {},
  desired: {},
  composite: {},
  ...fields,
});

describe('the condition of a rule', () => {
  test.for([
    { when: 'new > old', given: { old: 40, new: 80 }, want: true, why: 'whole numbers are compared as such' },
    { when: 'new > old', given: { old: 80, new: 40 }, want: false, why: 'a disk that shrinks' },
    { when: 'old == null', given: { old: undefined, new: 'x' }, want: true, why: 'a missing value is null' },
    { when: 'new in ["gp3", "io2"]', given: { new: 'gp3' }, want: true, why: 'lists of values' },
    {
      when: 'has(resource.status.nodeRef) && composite.spec.replicas > 1',
      given: { resource: { status: { nodeRef: { name: 'a' } } }, composite: { spec: { replicas: 3 } } },
      want: true,
      why: 'both objects are available',
    },
  ])('$when is $want: $why', ({ when, given, want }) => {
    expect(conditionFrom(when).judge(seen(given))).toEqual({ holds: want });
  });

  test.for([
    { when: 'new >', fault: 'Unexpected token' },
    { when: 'nw > old', fault: 'Unknown variable: nw' },
    { when: '1 + 1', fault: 'it returns int, not true or false' },
    { when: '"a" + 1 == 2', fault: 'no such overload: string + int' },
  ])('is reported before any decision if it can never be evaluated: $when', ({ when, fault }) => {
    expect(conditionFrom(when).fault).toContain(fault);
    expect(conditionFrom(when).judge(seen({}))).toHaveProperty('error');
  });

  test.for([
    { when: 'new.x == 1', given: { new: {} } },
    { when: 'new > 1', given: { new: 'hunter2' } },
    { when: 'int(new) > 1', given: { new: 'hunter2' } },
    { when: 'new', given: { new: 'hunter2' } },
  ])('reports a failed evaluation without the value: $when', ({ when, given }) => {
    const outcome = conditionFrom(when).judge(seen(given));
    expect(outcome).toHaveProperty('error');
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
  });

  it('is compiled only once', () => {
    expect(conditionFrom('new != old')).toBe(conditionFrom('new != old'));
  });
});
