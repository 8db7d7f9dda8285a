/**
 * A machine with an update request, from its beginning to its end, with what it requests from its node and its cloud.
 */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { WorkloadNodeSpec } from '#lib/api/kinds/workload-node.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import {
  after,
  aMachine,
  answer,
  condition,
  keys,
  lived,
  NAME,
  RUNNING,
  WORLD,
  type World,
} from './machine.fixture.ts';

const DISK = { rootDisk: { sizeGiB: 40 } };
const RESIZE = { name: 'resize', runsOn: 'Machine', disruptive: true, timeout: '30m', fields: ['spec.machine.class'] };
const TAINTS = { name: 'taints', runsOn: 'Machine', disruptive: true, timeout: '30m', fields: ['spec.taints'] };
const KUBERNETES = { name: 'kubernetes', runsOn: 'Node', disruptive: true, timeout: '20m', fields: ['spec.version'] };
const ACME = { name: 'acme', runsOn: 'Claimant', disruptive: true, timeout: '30m', fields: ['spec.machine.image'] };

const orderOf = (...updaters: JsonObject[]): JsonObject => ({
  update: { id: 'target-1', disruptive: updaters.some(({ disruptive }) => disruptive === true), updaters },
});

const SMALL = { ...RUNNING, instanceType: 'm6i.xlarge' };
const LARGE = { ...RUNNING, instanceType: 'm6i.2xlarge' };
const node = (phase?: string, message?: string): JsonObject => ({
  ...WORLD.joined.node,
  ...(phase === undefined ? {} : { update: { id: 'target-1', phase, ...(message === undefined ? {} : { message }) } }),
});
const world = (phase?: string, instance: JsonObject = SMALL, more: Partial<World> = {}): World => ({
  ...WORLD.joined,
  instance,
  node: node(phase),
  ...more,
});

let settled: Request;
beforeAll(async () => {
  settled = await lived(world());
});

/** The settled machine with another spec, and with context of an earlier step. */
function ordered(spec: JsonObject, context: JsonObject = {}): Request {
  const { composite, resources } = settled.observed;
  const edited = { ...composite, spec: { ...composite.spec, ...spec } };
  return { ...settled, context: { ...settled.context, ...context }, observed: { composite: edited, resources } };
}

/** One reply for the request, then one for each world. */
async function through(request: Request, ...worlds: readonly World[]): Promise<readonly ReplyData[]> {
  let last = request;
  const replies = [await answer(last)];
  for (const next of worlds) {
    last = after(last, replies.at(-1)!, next);
    replies.push(await answer(last));
  }
  return replies;
}

const of = (reply: ReplyData, key: string): KubeObject | undefined => reply.resources.get(key)?.resource;
const typeOf = (reply: ReplyData): string | undefined =>
  stringAt(of(reply, 'instance'), 'spec', 'forProvider', 'instanceType');
const requestedUpdate = (reply: ReplyData): unknown => at(of(reply, 'node'), 'spec', 'update');
const phases = (replies: readonly ReplyData[]): readonly unknown[] =>
  replies.map(({ status }) => at(status, 'update', 'phase'));

describe('a machine that is to become larger', () => {
  const resized = { machine: { class: 'm6i.2xlarge', ...DISK }, ...orderOf(RESIZE) };
  const steps = () =>
    through(
      ordered(resized),
      world('Draining'),
      world('Drained'),
      world('Drained', { ...SMALL, instanceState: 'stopped' }),
      world('Drained', LARGE),
      world('Verifying', LARGE),
      world('Succeeded', LARGE),
      world('Succeeded', LARGE),
    );

  it('keeps its type until its node is drained, and releases the node once the cloud has the new type', async () => {
    const replies = await steps();
    expect(replies.map(typeOf).slice(0, 2)).toEqual(['m6i.xlarge', 'm6i.xlarge']);
    expect(new Set(replies.map(typeOf).slice(2))).toEqual(new Set(['m6i.2xlarge']));
    expect(replies.map((reply) => at(requestedUpdate(reply), 'hold'))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('reports its progress, and is not running during the update', async () => {
    const replies = await steps();
    expect(phases(replies)).toEqual([
      'Pending',
      'Draining',
      'Running',
      'Running',
      'Running',
      'Verifying',
      'Succeeded',
      'Succeeded',
    ]);
    expect(replies.map(({ status }) => status['phase'])).toEqual([
      'Running',
      ...Array<string>(5).fill('Updating'),
      'Running',
      'Running',
    ]);
    expect(at(replies[2]?.status, 'update', 'message')).toBe('instanceType is m6i.xlarge, expected m6i.2xlarge');
  });

  it('reports the beginning and the end with one event each', async () => {
    const events = (await steps()).flatMap((reply) => reply.events.filter(({ reason }) => reason.startsWith('Updat')));
    expect(events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      'Updating: update target-1 is Draining',
      'Updated: update target-1',
    ]);
  });

  it('requests nothing more once the update ended, whatever the node reports later', async () => {
    const replies = await through(
      ordered(resized),
      world('Succeeded', LARGE),
      world('Succeeded', LARGE),
      world('Draining', LARGE),
    );
    expect(at(replies.at(-1)?.status, 'update', 'phase')).toBe('Succeeded');
    expect(requestedUpdate(replies.at(-1)!)).toEqual(requestedUpdate(replies[1]!));
  });

  it('keeps the new type, also when its class means another type later, because no node is drained for that', async () => {
    const replies = await through(
      ordered(resized),
      world('Drained'),
      world('Succeeded', LARGE),
      world('Succeeded', LARGE),
    );
    const ended = after(settled, replies.at(-1)!, world('Succeeded', LARGE));
    const { composite, resources } = ended.observed;
    const edited = {
      ...composite,
      spec: { ...composite.spec, ...resized, machine: { class: 'm7i.2xlarge', ...DISK } },
    };
    const later = await answer({ ...ended, observed: { composite: edited, resources } });
    expect(typeOf(later)).toBe('m6i.2xlarge');
  });

  it('keeps its old type when the update failed, reports why, and does not begin again', async () => {
    const failed: World = { ...world('Failed'), node: node('Failed', 'not done within 1800s, while Drained') };
    const replies = await through(ordered(resized), world('Draining'), failed, failed);
    expect(new Set(replies.map(typeOf))).toEqual(new Set(['m6i.xlarge']));
    expect(replies.at(-1)?.status['update']).toEqual({
      id: 'target-1',
      phase: 'Failed',
      message: 'not done within 1800s, while Drained',
    });
    expect(condition(replies.at(-1)!, 'Updating')).toMatchObject({ status: 'False', reason: 'UpdateFailed' });
    expect(condition(replies.at(-1)!, 'InfrastructureReady')?.message).toContain('instanceType');
  });
});

describe('a directly edited Machine', () => {
  const byHand = { machine: { class: 'm6i.2xlarge', ...DISK } };

  it('keeps its type and reports that, because there is no update request and no node is drained', async () => {
    const replies = await through(ordered(byHand), world(), world());
    expect(new Set(replies.map(typeOf))).toEqual(new Set(['m6i.xlarge']));
    expect(condition(replies.at(-1)!, 'InfrastructureReady')?.message).toContain('instanceType');
  });

  it('ends its update when the update request is removed, once and with a reason, and keeps its type', async () => {
    const begun = after(
      settled,
      (await through(ordered({ ...byHand, ...orderOf(RESIZE) }), world('Draining'))).at(-1)!,
      world('Draining'),
    );
    const { composite, resources } = begun.observed;
    const without = {
      ...begun,
      observed: { composite: { ...composite, spec: { ...composite.spec, ...byHand } }, resources },
    };
    const [first, second] = await through(without, world());
    expect(first?.status['update']).toEqual({
      id: 'target-1',
      phase: 'Failed',
      message: 'spec.update was removed before the update ended',
    });
    expect(second?.status['update']).toEqual(first?.status['update']);
    expect([first, second].map((reply) => reply?.events.map(({ reason }) => reason))).toEqual([['UpdateFailed'], []]);
    expect([typeOf(first!), typeOf(second!)]).toEqual(['m6i.xlarge', 'm6i.xlarge']);
    expect(requestedUpdate(first!)).toBeUndefined();
  });
});

describe('taints that evict pods', () => {
  const evict = { key: 'maintenance', effect: 'NoExecute' };
  const soft = { key: 'team', value: 'a', effect: 'NoSchedule' };

  it('are set once the node is drained; others at once', async () => {
    const replies = await through(
      ordered({ taints: [evict, soft], ...orderOf(TAINTS) }),
      world('Draining'),
      world('Drained'),
    );
    expect(replies.map((reply) => at(of(reply, 'node'), 'spec', 'taints'))).toEqual([[soft], [soft], [evict, soft]]);
    expect(at(requestedUpdate(replies.at(-1)!), 'hold')).toBe(false);
  });
});

describe('a script on the node', () => {
  const script = { updater: 'kubernetes', fields: ['spec.version'], script: '#!/bin/sh\nexit 0\n' };
  const context = (id: string): JsonObject => ({ 'slipway.dev/node-update': { contract: 1, id, scripts: [script] } });
  const upgraded = { version: 'v1.35.5', ...orderOf(KUBERNETES) };

  it('is stored in a Secret of its own, and the node has the version to expect', async () => {
    const [reply] = await through(ordered(upgraded, context('target-1')));
    expect(requestedUpdate(reply!)).toEqual({
      id: 'target-1',
      disruptive: true,
      hold: false,
      updaters: ['kubernetes'],
      payloadSecretRef: { name: `${NAME}-update-target-1` },
      version: 'v1.35.5',
      timeout: '1200s',
    });
    expect(WorkloadNodeSpec.safeParse(of(reply!, 'node')?.spec).error).toBeUndefined();
    const secret = of(reply!, 'update-target-1');
    expect(Buffer.from(stringAt(secret, 'data', 'kubernetes') ?? '', 'base64').toString()).toBe(script.script);
  });

  test.for([
    { why: 'no script was written', context: {} },
    { why: 'the script is for another update request', context: context('target-0') },
  ])('fails before it begins when $why', async ({ context: given }) => {
    const [reply] = await through(ordered(upgraded, given));
    expect(requestedUpdate(reply!)).toBeUndefined();
    expect(reply?.status['update']).toEqual({
      id: 'target-1',
      phase: 'Failed',
      message: 'updater kubernetes cannot change spec.version: no step of the pipeline wrote a script for it',
    });
    expect(keys(reply!)).not.toContain('update-target-1');
  });
});

describe('a function that claimed fields', () => {
  const progress = (phase: string, id = 'target-1'): JsonObject => ({
    'slipway.dev/update-progress': { contract: 1, updates: [{ id, updater: 'acme', phase, message: 'disk is full' }] },
  });

  test.for([
    { said: 'nothing', context: {}, hold: true, phase: 'Running' },
    { said: 'that it is at work', context: progress('Running'), hold: true, phase: 'Running' },
    { said: 'something about another order', context: progress('Succeeded', 'target-0'), hold: true, phase: 'Running' },
    { said: 'that it is done', context: progress('Succeeded'), hold: false, phase: 'Running' },
    { said: 'that it failed', context: progress('Failed'), hold: true, phase: 'Failed' },
  ])('is waited for while its status is $said: hold $hold, $phase', async ({ context, hold, phase }) => {
    const replies = await through(ordered(orderOf(ACME), context), world('Draining'), world('Drained'));
    expect(at(requestedUpdate(replies.at(-1)!), 'hold')).toBe(hold);
    expect(at(replies.at(-1)?.status, 'update', 'phase')).toBe(phase);
  });
});

describe('an update request that cannot begin', () => {
  it('waits, and reports that, while the machine is not a node yet', async () => {
    const { composite, resources } = (await lived(WORLD.running)).observed;
    const spec = { ...aMachine().spec, ...orderOf(RESIZE) };
    const [reply] = await through({ ...settled, observed: { composite: { ...composite, spec }, resources } });
    expect(reply?.status['update']).toEqual({
      id: 'target-1',
      phase: 'Pending',
      message: 'waiting for the Node to register',
    });
  });

  it('waits, and reports that, until an earlier step can write its scripts', async () => {
    const waiting = 'waiting for Secret "team-a/mirror-user"';
    const handed = (more: JsonObject): JsonObject => ({
      'slipway.dev/node-update': { contract: 1, id: 'target-1', ...more },
    });
    const held = await answer(ordered(orderOf(KUBERNETES), handed({ scripts: [], waiting: { bootstrap: waiting } })));
    expect(held.status['update']).toEqual({ id: 'target-1', phase: 'Pending', message: waiting });
    expect(keys(held)).not.toContain('update-target-1');
    const scripts = [{ updater: 'kubernetes', fields: ['spec.version'], script: 'true' }];
    const begun = await answer(ordered(orderOf(KUBERNETES), handed({ scripts })));
    expect(keys(begun)).toContain('update-target-1');
  });

  it('names the field that no function can change', async () => {
    const order = orderOf({ ...RESIZE, fields: ['spec.machine.image'] });
    const [reply] = await through(ordered(order));
    expect(at(reply?.status, 'update', 'message')).toBe(
      'updater resize cannot change spec.machine.image: the machine step does not support it on this cloud',
    );
  });
});
