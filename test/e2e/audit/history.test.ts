import { describe, expect, test } from 'vitest';
import { historyOf, undrained } from './history.ts';
import type { Request } from './log.ts';

const stamp = (second: number): string => `2026-01-01T00:00:0${second}.000001Z`;

function asked(
  verb: string,
  path: string,
  second: number,
  more: { readonly code?: number; readonly patch?: unknown } = {},
): Request {
  const [resource = '', name = '', subresource] = path.split('/');
  return {
    verb,
    stage: 'ResponseComplete',
    user: { username: 'somebody' },
    objectRef: { resource, name, ...(subresource === undefined ? {} : { subresource }) },
    responseStatus: { code: more.code ?? 200 },
    requestObject: more.patch,
    stageTimestamp: stamp(second),
  };
}

const WORKLOAD = [
  asked('patch', 'nodes/a', 0, { patch: { metadata: { labels: { role: 'worker' } } } }),
  asked('patch', 'nodes/a', 1, { patch: { spec: { unschedulable: true } } }),
  asked('create', 'pods/web/eviction', 2, { code: 201 }),
  asked('delete', 'pods/web', 3),
  asked('delete', 'nodes/a', 4),
];
const MANAGEMENT = [asked('patch', 'workloadnodes/a', 0), asked('patch', 'workloadnodes/a', 5)];

const history = (
  terminated: string | undefined,
  workload: readonly Request[] = WORKLOAD,
): ReturnType<typeof historyOf> => historyOf('a', 'web', { management: MANAGEMENT, workload, terminated });

describe('a machine was drained first', () => {
  test('when every step came before its end', () => {
    expect(undrained(history(stamp(6)))).toBeUndefined();
  });

  test('not when it was terminated while its pod ran', () => {
    const seen = 'cordoned, evicted, terminated, empty, Node deleted, released';
    expect(undrained(history('2026-01-01T00:00:02.500Z'))).toMatch(new RegExp(`^${seen}; expected cordoned`));
  });

  test('not when an eviction was refused and the pod never ended', () => {
    const refused = WORKLOAD.filter(({ verb }) => verb !== 'create').slice(0, 2);
    const workload = [...refused, asked('create', 'pods/web/eviction', 2, { code: 429 })];
    expect(undrained(history(stamp(6), workload))).toMatch(/^cordoned, released, terminated; expected/);
  });

  test('not when nothing is known of it', () => {
    expect(undrained(historyOf('b', 'web-b', { management: [], workload: [], terminated: undefined }))).toMatch(
      /^nothing; expected/,
    );
  });
});
