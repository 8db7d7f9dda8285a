import { describe, expect, it, test } from 'vitest';
import { type Busy, Quorum, type Voter } from './quorum.ts';

/** Members, of which the first `sick` are unhealthy. */
function members(count: number, sick = 0): readonly Voter[] {
  return Array.from({ length: count }, (_, index) => ({ name: `m-${index}`, votes: true, well: index >= sick }));
}
const of = (count: number, sick = 0, busy: readonly Busy[] = []) => new Quorum(members(count, sick), busy);
const newcomer: Voter = { name: 'new', votes: false, well: false };

describe('deleting a member', () => {
  test.for([
    { count: 1, sick: 0, may: false, why: 'the last member is never deleted' },
    { count: 1, sick: 1, may: false, why: 'the last member is never deleted, even if unhealthy' },
    { count: 2, sick: 0, may: true, why: 'the other one is a majority of one' },
    { count: 2, sick: 1, may: true, why: 'the healthy one remains' },
    { count: 2, sick: 2, may: false, why: 'no healthy member is left' },
    { count: 3, sick: 0, may: true, why: 'two of two are healthy' },
    { count: 3, sick: 1, may: true, why: 'the unhealthy one is deleted' },
    { count: 3, sick: 2, may: false, why: 'one of two is no majority' },
    { count: 5, sick: 2, may: true, why: 'three of four' },
    { count: 5, sick: 3, may: false, why: 'two of four' },
    { count: 7, sick: 3, may: true, why: 'four of six' },
    { count: 7, sick: 4, may: false, why: 'three of six' },
  ])('is allowed: $may, the first of $count with $sick unhealthy: $why', ({ count, sick, may }) => {
    const [first] = members(count, sick);
    expect(of(count, sick).leave(first!) === undefined).toBe(may);
  });

  it('of a healthy member waits until all others are healthy', () => {
    const [, last] = members(2, 1);
    expect(of(5, 1).leave({ ...last!, name: 'm-4' })).toEqual({
      blockedBy: 'etcd members',
      until: 'all other etcd members are healthy: 3 of 4 are',
    });
  });

  it('costs no vote if the machine has not joined yet', () => {
    expect(of(3, 1).leave(newcomer)).toBeUndefined();
  });
});

describe('a member that joins', () => {
  test.for([
    { count: 0, sick: 0, may: true, why: 'the first' },
    { count: 1, sick: 0, may: true, why: 'the second cannot join otherwise' },
    { count: 1, sick: 1, may: false, why: 'there is no healthy member to join' },
    { count: 2, sick: 0, may: true, why: 'two of three, if it fails' },
    { count: 2, sick: 1, may: false, why: 'one of three' },
    { count: 3, sick: 0, may: true, why: 'three of four' },
    { count: 3, sick: 1, may: false, why: 'two of four' },
    { count: 4, sick: 1, may: true, why: 'three of five' },
    { count: 4, sick: 2, may: false, why: 'two of five' },
    { count: 6, sick: 2, may: true, why: 'four of seven' },
    { count: 6, sick: 3, may: false, why: 'three of seven' },
  ])('is allowed: $may, beside $count with $sick unhealthy: $why', ({ count, sick, may }) => {
    expect(of(count, sick).join('Missing') === undefined).toBe(may);
  });

  it('waits until all members are healthy if it is for a roll-out, because a roll-out can wait', () => {
    expect(of(5, 1).join('Change')?.until).toBe('all other etcd members are healthy: 4 of 5 are');
    expect(of(5).join('Change')).toBeUndefined();
  });
});

describe('a member that stops for a while', () => {
  test.for([
    { count: 1, may: false },
    { count: 2, may: false },
    { count: 3, may: true },
    { count: 4, may: true },
    { count: 5, may: true },
  ])('is allowed: $may, of $count healthy ones', ({ count, may }) => {
    expect(of(count).stop(members(count)[0]!) === undefined).toBe(may);
  });

  it('waits while another member is unhealthy', () => {
    expect(of(5, 1).stop(members(5)[4]!)?.blockedBy).toBe('etcd members');
    expect(of(5, 1).stop(members(5, 1)[0]!), 'the unhealthy one itself may stop').toBeUndefined();
  });
});

describe('a single step at a time', () => {
  const steps = [
    { name: 'join', take: (quorum: Quorum) => quorum.join('Missing') },
    { name: 'leave', take: (quorum: Quorum) => quorum.leave(members(5)[0]!) },
    { name: 'stop', take: (quorum: Quorum) => quorum.stop(members(5)[1]!) },
  ];
  test.for(steps.flatMap((first) => steps.map((second) => ({ first, second }))))(
    'is enforced for all steps: no $second.name after $first.name in one call',
    ({ first, second }) => {
      const quorum = of(5);
      expect(first.take(quorum)).toBeUndefined();
      expect(second.take(quorum)?.blockedBy).toBe('one control-plane machine at a time');
    },
  );

  it('is enforced while another step is in progress, whoever started it', () => {
    const busy = of(5, 0, [{ until: 'the machine that is being deleted is gone' }]);
    for (const { take } of steps) expect(take(busy)?.until).toBe('the machine that is being deleted is gone');
  });

  it('keeps a new machine that is not wanted while the others have no majority, because it may have joined since it was observed', () => {
    const quorum = new Quorum([...members(2, 1), newcomer], []);
    expect(quorum.leave(newcomer)?.until).toBe('more etcd members are healthy: 1 of 2 would be, needed: 2');
    expect(quorum.leave(newcomer, 'GivenUp'), 'a machine that failed did not join').toBeUndefined();
    expect(new Quorum([newcomer], []).leave(newcomer), 'there is no etcd yet').toBeUndefined();
  });

  it('does not prevent the deletion of a new machine that fails', () => {
    const busy = new Quorum([...members(3), newcomer], [{ name: 'new', until: 'Machine new has become a Node' }]);
    expect(busy.join('Missing')?.until).toBe('Machine new has become a Node');
    expect(busy.leave(newcomer)).toBeUndefined();
  });
});
