/** What one API of somebody else may cost. */
import { describe, expect, test } from 'vitest';
import { SetTiming } from '../../test/support/set-timing.ts';
import { Budget, LIMITS, weightOf } from './budget.ts';
import { type ListParts, listed } from './pages.ts';
import type { Resource } from './resource.ts';
import { Unreachable } from './refusal.ts';

const NODES: Resource = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const MIB = 1024 * 1024;

function begin() {
  const timing = new SetTiming(0);
  const said: string[] = [];
  const budget = new Budget(timing, (why) => said.push(why));
  return { timing, budget, said, pass: (seconds: number) => timing.goTo(timing.elapsed() + seconds * 1000) };
}

describe('an API is cut off', () => {
  test('when it sends more bytes than it may, and is asked again a minute later', () => {
    const { budget, said, pass } = begin();
    const { signal } = budget;
    for (let sent = 0; sent < LIMITS.bytes.burst; sent += MIB) budget.came(MIB);
    expect(budget.why).toBeUndefined();
    budget.came(MIB);
    expect(said).toEqual(['cut off for 60 s: it sent more than 256 MiB at once and then 8 per second']);
    expect(signal.aborted, 'what is under way ends').toBe(true);
    expect(() => budget.check('cannot list Node')).toThrow(Unreachable);
    pass(61);
    expect(budget.why).toBeUndefined();
    expect(budget.signal.aborted).toBe(false);
  });

  test('for longer each time, up to ten minutes, and shortly again after a good while', () => {
    const { budget, said, pass } = begin();
    for (let times = 0; times < 6; times += 1) {
      budget.cutOff('a');
      pass(601);
    }
    pass(1300);
    budget.cutOff('a');
    const seconds = said.map((why) => Number(/for (\d+) s/.exec(why)?.[1]));
    expect(seconds).toEqual([60, 120, 240, 480, 600, 600, 60]);
  });

  test('when its objects take too much memory, whoever keeps them', () => {
    const { budget, said } = begin();
    const [one, other] = [{}, {}];
    budget.keep(one, 30 * MIB);
    budget.keep(other, 10 * MIB);
    budget.keep(one, 20 * MIB);
    budget.keep(other, 27 * MIB);
    expect(said).toEqual([]);
    budget.keep(other, 29 * MIB);
    expect(said).toEqual(['cut off for 60 s: its objects take more than 48 MiB of memory']);
  });

  test('when it tells of changes all the time', () => {
    const { budget, pass, said } = begin();
    for (let events = 0; events < LIMITS.events.burst; events += 1) budget.happened();
    pass(1);
    for (let events = 0; events < LIMITS.events.perSecond; events += 1) budget.happened();
    expect(said).toEqual([]);
    budget.happened();
    expect(said).toHaveLength(1);
  });
});

test('an API is cut off before a text is read that would take far more memory than it has bytes', () => {
  const { budget, said } = begin();
  const managed = { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} }, 'f:annotations': { '.': {} } } };
  budget.reads(JSON.stringify(Array.from({ length: 50_000 }, () => ({ metadata: { name: 'a-node', managed } }))));
  budget.reads('{}'.repeat(500));
  expect(said).toEqual([]);
  budget.reads(JSON.stringify(Array.from({ length: 50_000 }, () => ({}))));
  expect(said).toEqual(['cut off for 60 s: an answer has more objects than any of Kubernetes']);
});

test('requests wait for their turn, and no longer than until the API is cut off', async () => {
  const { budget, timing } = begin();
  for (let asked = 0; asked < LIMITS.requests.burst; asked += 1) await budget.turn('cannot ask');
  let isTurn = false;
  const turn = budget.turn('cannot ask').then(() => (isTurn = true));
  await Promise.resolve();
  expect(isTurn).toBe(false);
  timing.goTo(timing.next ?? 0);
  await turn;
  const late = budget.turn('cannot ask').catch((thrown: unknown) => thrown);
  budget.cutOff('a');
  timing.goTo(timing.next ?? 0);
  expect(await late).toMatchObject({ kind: 'CutOff' });
});

describe('a list', () => {
  const page = (items: readonly object[], next?: string) => ({
    metadata: { resourceVersion: '1', ...(next === undefined ? {} : { continue: next }) },
    items: items as never,
  });
  const node = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

  test.for<[string, (at: number) => ReturnType<typeof page>, string, number]>([
    ['of empty pages', () => page([], 'x'), 'more than 3 empty pages', 4],
    ['of ever more pages', (at) => page([node(`n-${at}`)], 'x'), 'more than 2000 pages', 2001],
    [
      'of large objects',
      (at) => page([node(`n-${at}`, { labels: 'x'.repeat(MIB) })], 'x'),
      'more than 48 MiB in memory',
      24,
    ],
  ])('%s without an end is given up', async ([, made, excess, pages]) => {
    const { budget, timing, said } = begin();
    let asked = 0;
    const parts: ListParts = { ask: () => Promise.resolve(made((asked += 1))), server: 'https://a', timing, budget };
    await expect(listed(parts, NODES, {})).rejects.toMatchObject({ kind: 'CutOff' });
    expect(said).toEqual([`cut off for 60 s: its list of Nodes has ${excess}`]);
    expect(asked).toBe(pages);
  });

  test('that takes too long is given up', async () => {
    const { budget, timing, said, pass } = begin();
    const ask = () => (pass(50), Promise.resolve(page([node('a')], 'x')));
    await expect(listed({ ask, server: 'https://a', timing, budget }, NODES, {})).rejects.toMatchObject({
      kind: 'CutOff',
    });
    expect(said).toEqual(['cut off for 60 s: its list of Nodes has no end within 120 s']);
  });

  test('has only what is read of its objects, page by page', async () => {
    const { budget, timing } = begin();
    const large = Array.from({ length: 40 }, (_none, at) =>
      page([node(`n-${at}`, { a: 'x'.repeat(MIB) })], at < 39 ? 'x' : undefined),
    );
    const parts: ListParts = {
      ask: () => Promise.resolve(large.shift()!),
      server: 'https://a',
      timing,
      budget,
      slim: (object) => ({ ...object, metadata: { name: object.metadata?.name ?? '' } }),
    };
    expect((await listed(parts, NODES, {})).items).toHaveLength(40);
    expect(budget.why).toBeUndefined();
  });
});

test('small values weigh more than their text', () => {
  const many = Array.from({ length: 1000 }, () => ({}));
  expect(weightOf(many)).toBeGreaterThan(20 * JSON.stringify(many).length);
  expect(weightOf('x'.repeat(1000))).toBeGreaterThan(1000);
});
