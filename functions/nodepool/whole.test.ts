/** An edit that has to wait waits whole: no part of it touches a machine before the rest may. */
import { describe, expect, it, test } from 'vitest';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { clusterSettings } from '#lib/fn/cluster-settings.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster, aNodePool, INFRASTRUCTURE, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, condition, groupOf, made, marked, request, slots } from './pool.fixture.ts';

const cluster = (version: string, asked: string, spec: JsonObject = {}, addons = version): KubeObject =>
  aCluster({
    spec: { ...spec, version: asked },
    status: {
      infrastructure: INFRASTRUCTURE,
      controlPlaneEndpoint: { host: 'api', port: 6443 },
      controlPlane: { initialized: true, version },
      addons: { version: addons },
    },
  });
const CALM = cluster('v1.34.4', 'v1.34.4');
const IMAGE_A = { machine: { class: 'standard-4', image: 'image-a' } };
const pool = (spec: JsonObject, status?: JsonObject): KubeObject =>
  aNodePool({ spec: { ...IMAGE_A, ...spec }, ...(status === undefined ? {} : { status }) });

interface Settled {
  readonly machines: readonly KubeObject[];
  readonly status: JsonObject;
}

/** Machines of the pool, each a Node of that version, and what the status of the pool has. */
async function settled(spec: JsonObject = {}, world = CALM): Promise<Settled> {
  const version = stringAt(world, 'status', 'controlPlane', 'version') ?? '';
  const first = await replyOf(run, request({ pool: pool(spec), cluster: world }));
  const machines = (await made(pool(spec))).map((machine, index) => ({
    ...withStatus(composed(first)[index]!, { ...machine.status, version }),
  }));
  const { status } = await replyOf(run, request({ pool: pool(spec, first.status), cluster: world, machines }));
  return { machines, status };
}

async function edited(had: Settled, spec: JsonObject, world: KubeObject, status = had.status): Promise<ReplyData> {
  return replyOf(run, request({ pool: pool(spec, status), cluster: world, machines: had.machines }));
}

const texts = (reply: ReplyData, ...path: readonly string[]): string =>
  [...new Set(composed(reply).map((machine) => JSON.stringify(at(machine, 'spec', ...path))))].join();
const differing = (reply: ReplyData): number | undefined => groupOf(reply).held?.differing.length;

/** Why an edit waits: the world and what the pool writes of a version. */
const WAITS: Readonly<Record<string, readonly [KubeObject, JsonObject]>> = {
  WaitingForControlPlane: [cluster('v1.34.4', 'v1.35.4'), {}],
  'WaitingForControlPlane, version of its own': [CALM, { version: 'v1.35.4' }],
  WaitingForAddons: [cluster('v1.35.4', 'v1.35.4', {}, 'v1.34.4'), {}],
  MinorSkipped: [cluster('v1.37.0', 'v1.37.0'), { version: 'v1.36.0' }],
  MinorDowngraded: [CALM, { version: 'v1.33.1' }],
};

/** Each touches machines, alone. */
const TOUCHES: readonly (readonly [string, JsonObject, JsonObject?])[] = [
  ['an image', { machine: { class: 'standard-4', image: 'image-b' } }],
  ['a class', { machine: { class: 'standard-8', image: 'image-a' } }],
  ['a larger disk', { machine: { class: 'standard-4', image: 'image-a', rootDisk: { sizeGiB: 200 } } }],
  ['settings of the bootstrapper', { bootstrap: { config: { kubeletConfiguration: { maxPods: 50 } } } }],
  ['first-boot settings', { provisioning: { sysctls: { 'vm.max_map_count': '262144' } } }],
  ['zones', { machine: { class: 'standard-4', image: 'image-a', zones: ['eu-west-1a'] } }],
  ['a restart', { update: { rolloutAfter: '2025-12-31T00:00:00Z' } }],
  ['first-boot settings of its Cluster', {}, { provisioning: { sysctls: { 'vm.max_map_count': '262144' } } }],
  [
    'settings of the bootstrapper of its Cluster',
    {},
    { bootstrap: { config: { kubeletConfiguration: { maxPods: 5 } } } },
  ],
];

const withSpec = (object: KubeObject, spec: JsonObject): KubeObject => ({
  ...object,
  spec: { ...object.spec, ...spec },
});

describe.each(Object.entries(WAITS))('an edit that waits: %s', (why, [world, version]) => {
  const reason = why.replace(/,.*/, '');

  test.for(TOUCHES)('%s waits with it, and is released with it', async ([, spec, ofCluster = {}]) => {
    const had = await settled();
    const old = had.machines.map(({ metadata, spec: own }) => [metadata?.name, own]);
    const held = await edited(had, { ...spec, ...version }, withSpec(world, ofCluster));
    expect(condition(held, 'VersionAccepted')).toMatchObject({ status: 'False', reason });
    expect(condition(held, 'VersionAccepted')?.message).toContain('the rest of the edit waits with it');
    const own = (reply: ReplyData) => composed(reply).map(({ spec: one }) => one);
    expect(own(held)).toEqual(own(await edited(had, {}, CALM)));
    expect(old).toHaveLength(3);
    expect(groupOf(held).held).toMatchObject({ reason });
    expect(groupOf(held).held?.message).toContain('the rest of the edit waits with it');
    expect(differing(held)).toBe(3);
    expect(held.status['accepted']).toEqual(had.status['accepted']);
    // Once nothing holds it, all of it is desired in one call.
    const next = { ...spec, ...('version' in version ? { version: 'v1.34.5' } : {}) };
    const free = await edited(
      { ...had, status: held.status },
      next,
      withSpec(cluster('v1.35.4', 'v1.35.4'), ofCluster),
    );
    expect(texts(free, 'version')).not.toBe('"v1.34.4"');
    expect(own(free)).not.toEqual(own(held));
    expect(differing(free)).toBeUndefined();
  });

  it('lets labels, taints and how nodes are drained through at once', async () => {
    const marks = { labels: { team: 'a' }, taints: [{ key: 'gpu', effect: 'NoSchedule' }] };
    const update = { drain: { timeout: '7m' } };
    const held = await edited(await settled(), { ...marks, update, ...IMAGE_A, ...version }, world);
    expect(texts(held, 'labels')).toBe('{"team":"a"}');
    expect(texts(held, 'taints')).toContain('gpu');
    expect(texts(held, 'drain', 'timeout')).toBe('"7m"');
    expect(texts(held, 'machine', 'image')).toBe('"image-a"');
    expect(groupOf(held).held?.message).not.toContain('the rest of the edit');
  });

  it('creates machines as those that are there while it waits', async () => {
    const had = await settled();
    const held = await edited(
      had,
      { replicas: 5, machine: { class: 'standard-8', image: 'image-b' }, ...version },
      world,
    );
    expect(slots(held)).toHaveLength(5);
    expect(texts(held, 'machine')).toBe(texts(await edited(had, {}, CALM), 'machine'));
    expect(texts(held, 'version')).toBe('"v1.34.4"');
  });

  it('goes on with the roll-out that was accepted before', async () => {
    const had = await settled();
    const B = { machine: { class: 'standard-4', image: 'image-b' } };
    const begun = await edited(had, B, CALM);
    expect(texts(begun, 'machine', 'image')).toBe('"image-b"');
    const C = { machine: { class: 'standard-4', image: 'image-c' } };
    const held = await edited(had, { ...C, ...version }, world, { ...had.status, ...begun.status });
    expect(texts(held, 'machine', 'image'), 'no machine of it exists yet').toBe('"image-b"');
    expect(texts(held, 'version')).toBe('"v1.34.4"');
  });

  it('goes on with what its newest machines are while no status says what was accepted', async () => {
    const had = await settled();
    const { accepted: _lost, ...status } = had.status;
    const held = await edited(had, { machine: { class: 'standard-8', image: 'image-b' }, ...version }, world, status);
    expect(texts(held, 'machine', 'image')).toBe('"image-a"');
    expect(held.status['accepted']).toEqual(had.status['accepted']);
  });
});

describe('a new pool beside a control plane that is upgraded', () => {
  const world = cluster('v1.34.4', 'v1.35.4');

  it('creates no machine with an image that it names, which may be of the next version, and says so', async () => {
    const reply = await replyOf(run, request({ pool: pool({}), cluster: world }));
    expect(slots(reply)).toEqual([]);
    expect(condition(reply, 'VersionAccepted')).toMatchObject({ status: 'False', reason: 'WaitingForControlPlane' });
    expect(condition(reply, 'Available')).toMatchObject({ status: 'False', reason: 'Waiting' });
  });

  it('creates machines of the version that the control plane runs where its image follows the version', async () => {
    const reply = await replyOf(run, request({ pool: aNodePool(), cluster: world }));
    expect(slots(reply)).toHaveLength(3);
    expect(texts(reply, 'version')).toBe('"v1.34.4"');
  });
});

describe('a control plane whose Cluster was edited', () => {
  const role = { role: 'control-plane' };
  const asWrittenBy = (of: KubeObject, spec: JsonObject, status: JsonObject): KubeObject =>
    marked(pool({ ...role, ...spec }, status), {
      annotations: { 'slipway.dev/cluster-settings': clusterSettings(of) },
    });
  const next = cluster('v1.34.4', 'v1.35.4');

  it('waits until the Cluster has written the whole edit on it, so that each machine is replaced once', async () => {
    const had = await settled(role);
    const before = await replyOf(
      run,
      request({ pool: asWrittenBy(CALM, {}, had.status), cluster: next, machines: had.machines }),
    );
    expect(texts(before, 'version')).toBe('"v1.34.4"');
    expect(condition(before, 'VersionAccepted')).toMatchObject({ status: 'False', reason: 'WaitingForCluster' });
    const image = { machine: { class: 'standard-4', image: 'image-b' } };
    const whole = asWrittenBy(next, image, {
      ...had.status,
      conditions: [{ type: 'VersionAccepted', status: 'False' }],
    });
    const after = await replyOf(run, request({ pool: whole, cluster: next, machines: had.machines }));
    expect(composed(after).map(({ spec }) => [spec?.['version'], at(spec, 'machine', 'image')])).toContainEqual([
      'v1.35.4',
      'image-b',
    ]);
    expect(condition(after, 'VersionAccepted')).toMatchObject({ status: 'True' });
  });
});

describe('what was accepted', () => {
  it('is written once and stays the same while nothing changes', async () => {
    const had = await settled();
    const again = await edited(had, {}, CALM);
    expect(JSON.stringify(again.status['accepted'])).toBe(JSON.stringify(had.status['accepted']));
    expect(at(had.status, 'accepted', 'template', 'machine', 'image')).toBe('image-a');
  });

  it('stays where the Cluster cannot be read', async () => {
    const had = await settled();
    const parts = request({ pool: pool({}, had.status), machines: had.machines });
    const reply = await replyOf(run, {
      ...parts,
      required: new Map([
        ['machines', [...had.machines]],
        ['cluster', []],
      ]),
    });
    expect(reply.status['accepted']).toEqual(had.status['accepted']);
  });

  it('is not needed to read a pool: what no release reads counts as not recorded', async () => {
    const had = await settled();
    const status = { ...had.status, accepted: { template: { nonsense: true } } };
    const held = await edited(had, { machine: { class: 'standard-8' } }, cluster('v1.34.4', 'v1.35.4'), status);
    expect(texts(held, 'machine', 'class')).toBe('"standard-4"');
  });
});
