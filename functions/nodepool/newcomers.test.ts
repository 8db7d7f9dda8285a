import { describe, expect, it, test } from 'vitest';
import { type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { groupOf, grown, HOUR, look, marked, remediating, starting } from './pool.fixture.ts';

describe('a new machine that fails before it replaces another one', () => {
  const IMAGE = { machine: { class: 'standard-4', image: 'new' } };
  const newcomer = (
    old: KubeObject,
    retried?: { readonly machine: string; readonly retryCount: number },
  ): KubeObject => {
    const { annotations: _annotations, ...metadata } = old.metadata ?? {};
    const annotations = { 'slipway.dev/remediation-for': JSON.stringify(retried) };
    const labels = { ...metadata.labels, 'slipway.dev/serial': '7' };
    const name = 'general-0-fails';
    return starting({
      ...old,
      metadata: { ...metadata, name, labels, ...(retried === undefined ? {} : { annotations }) },
      spec: { ...old.spec, ...IMAGE },
    });
  };
  const attempt = async (seconds: number, retryCount?: number, spec: JsonObject = IMAGE, health: JsonObject = {}) => {
    const [old, ...rest] = await grown(3);
    const retried = retryCount === undefined ? undefined : { machine: 'general-0-first', retryCount };
    return look([old!, newcomer(old!, retried), ...rest], seconds, health, { replicas: 3, ...spec });
  };

  it('is deleted, created again, and counted; no other slot begins until then', async () => {
    expect(groupOf(await attempt(1199))).toMatchObject({ releases: [] });
    const reply = await attempt(1200);
    expect(groupOf(reply)).toMatchObject({
      releases: [{ name: 'general-0-fails', why: 'Lost', message: 'it did not become a Node within 20m' }],
      stopped: { slots: ['0'] },
    });
    expect(reply.status['pendingRemediations']).toEqual([{ machine: 'general-0-fails', retryCount: 0, slot: 0 }]);
    expect(remediating(reply)).toMatchObject({
      status: 'True',
      message:
        'Machine general-0-fails did not become a Node within 20m and is being replaced; it is the first new machine to fail',
    });
    expect(reply.events).toContainEqual(expect.objectContaining({ reason: 'Remediating' }));
  });

  it('is named by the next attempt, also when it is deleted before that is created', async () => {
    const pendingRemediations = [{ machine: 'general-0-fails', retryCount: 1, slot: 0 }];
    const reply = await look(await grown(3), 1300, {}, IMAGE, { pendingRemediations });
    expect(reply.resources.get('slot-0')?.resource.metadata?.annotations).toEqual({
      'slipway.dev/remediation-for': '{"machine":"general-0-fails","retryCount":1}',
    });
    expect(groupOf(reply).stopped?.message).toContain('2 new machines failed one after another');
    const back = await look(await grown(3), 1300, {}, {}, { pendingRemediations });
    expect(back.status['pendingRemediations'], 'the edit was taken back, so there is nothing to try').toBeUndefined();
    expect(groupOf(back).stopped).toBeUndefined();
  });

  it('still counts when the machine that it was to replace is gone too: the next one replaces both', async () => {
    const [, ...rest] = await grown(3);
    const pendingRemediations = [{ machine: 'general-0-fails', retryCount: 1, slot: 0 }];
    const reply = await look(rest, 1300, {}, { ...IMAGE, replicas: 3 }, { pendingRemediations });
    expect(reply.resources.get('slot-0')?.resource.metadata?.annotations).toEqual({
      'slipway.dev/remediation-for': '{"machine":"general-0-fails","retryCount":1}',
    });
    const smaller = await look(rest, 1300, {}, { ...IMAGE, replicas: 2 }, { pendingRemediations });
    expect(smaller.status['pendingRemediations'], 'no machine is missing').toBeUndefined();
  });

  test.for([
    { retryCount: 2, waits: 2400, count: 4 },
    { retryCount: 5, waits: 7200, count: 7 },
  ])('is tried less and less often: after $waits s when $count failed', async ({ retryCount, waits, count }) => {
    const early = await attempt(waits - 1, retryCount);
    expect(groupOf(early)).toMatchObject({ releases: [], stopped: { slots: ['0'] } });
    expect(remediating(early)).toMatchObject({ status: 'False', reason: 'RemediationDeferred' });
    expect(remediating(early)?.message).toMatch(new RegExp(`; ${count} new machines failed one after another$`));
    expect(groupOf(await attempt(waits, retryCount)).releases).toHaveLength(1);
  });

  it('is tried no more often than maxRetry says, and then kept for inspection', async () => {
    const reply = await attempt(90 * HOUR, 2, IMAGE, { maxRetry: 2 });
    expect(groupOf(reply)).toMatchObject({ releases: [], stopped: { slots: ['0'] } });
    expect(remediating(reply)).toMatchObject({ status: 'False', reason: 'CannotBeRemediated' });
  });

  it('is deleted at once, without being counted, when it no longer matches the claim', async () => {
    const reply = await attempt(1200, 5, {});
    expect(groupOf(reply)).toMatchObject({ releases: [{ name: 'general-0-fails', why: 'Lost' }] });
    expect(groupOf(reply).stopped).toBeUndefined();
  });

  it('is kept while the pool is paused, or while it has the annotation for that', async () => {
    expect(groupOf(await attempt(1200, undefined, { ...IMAGE, paused: true })).releases).toEqual([]);
    const [old, ...rest] = await grown(3);
    const kept = marked(newcomer(old!), { annotations: { 'slipway.dev/skip-remediation': '' } });
    expect(groupOf(await look([old!, kept, ...rest], 1200, {}, { replicas: 3, ...IMAGE })).releases).toEqual([]);
  });
});
