/** Whatever keeps a pool from acting is in a condition and an event, however many machines it has. */
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { decide } from '#lib/wire/shell.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Verdict } from '../functions/in-place-update/decision.ts';
import { run as updateStep } from '../functions/in-place-update/fn.ts';
import { run as poolStep } from '../functions/nodepool/fn.ts';
import {
  but,
  grown,
  HOUR,
  lost,
  marked,
  NOON,
  notReady,
  request,
  type World,
} from '../functions/nodepool/pool.fixture.ts';
import type { HeldBy } from '../functions/nodepool/slot.ts';
import type { HeldVersion } from '../functions/nodepool/version.ts';
import { aCluster, aNodePool, INFRASTRUCTURE } from './support/claims.ts';
import { aWorld } from './support/request.ts';

const INPUT = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', cloud: 'aws' };
const LATER = aWorld(new Date(Date.parse(NOON) + HOUR * 1000).toISOString());

/** The conditions of both steps of the pipeline, with what the pool said before. */
async function called(world: World, rules: readonly JsonObject[] = []): Promise<ReplyData> {
  const given = request({ input: INPUT, ...world });
  const first = await decide(poolStep, given, LATER);
  const { status, resources, compositeReady, context } = first;
  const desired = { composite: { apiVersion: '', kind: '', status }, resources, compositeReady };
  const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'InPlaceUpdateInput', rules };
  const last = await decide(updateStep, { ...given, desired, context, input }, LATER);
  const types = new Set(last.conditions.map(({ type }) => type));
  const conditions = [...first.conditions.filter(({ type }) => !types.has(type)), ...last.conditions];
  return { ...last, conditions, events: [...first.events, ...last.events] };
}

const cluster = (runs: string, asks: string, addons = runs): KubeObject =>
  aCluster({
    spec: { version: asks },
    status: {
      infrastructure: INFRASTRUCTURE,
      controlPlaneEndpoint: { host: 'api', port: 6443 },
      controlPlane: { initialized: true, version: runs },
      addons: { version: addons },
    },
  });

type Reason = HeldBy | HeldVersion['reason'] | NonNullable<Verdict['hold']> | 'OnDelete';
interface Held {
  readonly world: (machines: readonly KubeObject[]) => World | Promise<World>;
  readonly rules?: readonly JsonObject[];
  /** Of the condition, if it is another word than the key. */
  readonly reason?: string;
}

const IMAGE = { machine: { class: 'standard-4', image: 'image-b' } };
const edit = (machines: readonly KubeObject[], spec: JsonObject, more: World = {}): World => ({
  pool: aNodePool({ spec: { replicas: machines.length, ...spec } }),
  machines,
  ...more,
});
const accepted = (image: string): JsonObject => ({
  accepted: {
    template: {
      clusterRef: { name: 'prod' },
      role: 'worker',
      version: 'v1.35.4',
      machine: { class: 'standard-4', image },
      bootstrap: { provider: 'kubeadm', config: {} },
    },
  },
});
const UNMAPPED: World = { input: { ...INPUT, images: { other: { 'eu-west-1': 'ami-0123456789abcdef0' } } } };
const withImage = (image: string) => (machine: KubeObject) => ({
  ...machine,
  spec: { ...machine.spec, machine: { class: 'standard-4', image } },
});

/** Exhaustive by type: whoever adds a reason adds a world in which it is said. */
const REASONS: Readonly<Record<Reason, Held>> = {
  Paused: { world: (all) => edit(all, { ...IMAGE, paused: true }) },
  NoNewMachines: {
    world: (all) =>
      edit(
        all.map((one, i) => withImage(i < 2 ? 'gone' : 'other')(one)),
        { machine: { class: 'standard-4', image: 'gone' } },
        UNMAPPED,
      ),
  },
  NotAccepted: {
    world: (all) => {
      const machines = all.map((one, i) => withImage(i < 2 ? 'gone' : 'other')(one));
      const asked = edit(machines, { machine: { class: 'standard-4', image: 'gone' } }, UNMAPPED);
      return { ...asked, pool: { ...asked.pool!, status: accepted('other') } };
    },
  },
  TooManyUnhealthy: { world: (all) => edit(but(all, { 0: lost(), 1: lost() }), { health: { maxUnhealthy: 1 } }) },
  RemediationDeferred: { world: (all) => edit(but(all, { 0: lost() }), { health: { maxInFlight: 0 } }) },
  CannotBeRemediated: {
    world: (all) =>
      edit(
        but(all, {
          0: (machine) =>
            notReady(NOON)(
              marked(machine, {
                annotations: { 'slipway.dev/remediation-for': JSON.stringify({ machine: 'x', retryCount: 3 }) },
              }),
            ),
        }),
        { health: { maxRetry: 1, minHealthyPeriod: '1000h' } },
      ),
  },
  OutsideLimits: { world: (all) => edit(all, {}, { input: { ...INPUT, limits: { replicas: 1 } } }) },
  WaitingForCluster: {
    world: (all) => ({
      ...edit(all, {}),
      pool: marked(aNodePool({ spec: { role: 'control-plane', replicas: 3, ...IMAGE } }), {
        annotations: { 'slipway.dev/cluster-settings': 'earlier' },
      }),
    }),
  },
  WaitingForControlPlane: { world: (all) => edit(all, IMAGE, { cluster: cluster('v1.35.4', 'v1.36.0') }) },
  WaitingForAddons: { world: (all) => edit(all, IMAGE, { cluster: cluster('v1.36.0', 'v1.36.0', 'v1.35.4') }) },
  MinorSkipped: {
    world: (all) => edit(all, { ...IMAGE, version: 'v1.37.0' }, { cluster: cluster('v1.37.0', 'v1.37.0') }),
  },
  MinorDowngraded: { world: (all) => edit(all, { ...IMAGE, version: 'v1.34.0' }) },
  VersionSkewed: { world: (all) => edit(all, { ...IMAGE, version: 'v1.30.0' }) },
  Fallback: { world: (all) => edit(all, { ...IMAGE, update: { fallback: 'Hold' } }), reason: 'Held' },
  Rule: {
    world: (all) => edit(all, IMAGE),
    rules: [{ path: 'spec.machine.image', when: 'new > 3', decision: 'Patch' }],
    reason: 'Held',
  },
  Edit: {
    world: async (all) => {
      const settled = await called(edit(all, {}));
      const made = [...settled.resources.values()].filter(({ resource }) => resource.kind === 'Machine');
      const marks = made.map(({ resource }) => resource.metadata);
      const byHand = all.map((one, i) => ({
        ...one,
        metadata: { ...one.metadata, annotations: marks[i]?.annotations ?? {} },
        spec: { ...one.spec, machine: { class: 'standard-4', image: 'by-hand' } },
      }));
      return edit(byHand, {});
    },
    reason: 'Held',
  },
  OnDelete: { world: (all) => edit(all, { ...IMAGE, update: { strategy: 'OnDelete' } }), reason: 'Held' },
};

describe.each(Object.entries(REASONS))('%s', (key, { world, rules, reason = key }) => {
  test.for([3, 5])(
    'is in a condition that is not what was asked for, and in an event, with %i machines',
    async (count) => {
      const given = await world(await grown(count));
      const reply = await called(given, rules);
      const said = reply.conditions.filter((one) => one.reason === reason);
      expect(said, JSON.stringify(reply.conditions, undefined, 1)).not.toEqual([]);
      expect(said.every(({ status, message = '' }) => status === 'False' && message !== '')).toBe(true);
      expect(reply.events.map((event) => event.reason)).toContain(reason);
      // It is news once.
      const pool = {
        ...given.pool!,
        status: { ...given.pool?.status, ...reply.status, conditions: reply.conditions as never },
      };
      const again = await called({ ...given, pool }, rules);
      expect(again.events.map((event) => event.reason)).not.toContain(reason);
      expect(conditionOf({ ...pool, status: { conditions: again.conditions as never } }, said[0]!.type)?.status).toBe(
        'False',
      );
    },
  );
});

test.each(Object.entries(REASONS).filter(([, { reason }]) => reason === undefined))(
  'a pool whose edit does not happen does not say that its machines are up to date: %s',
  async (key, { world, rules }) => {
    const given = await world(await grown(3));
    const touches = JSON.stringify(given.pool?.spec?.['machine'] ?? {}).includes('image');
    const reply = await called(given, rules);
    const upToDate = reply.conditions.find(({ type }) => type === 'MachinesUpToDate');
    expect(touches ? upToDate?.status : 'False', key).toBe('False');
  },
);
