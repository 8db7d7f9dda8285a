/** Each judge can fail. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { aMachine } from '../support/claims.ts';
import { Chance } from './chance.ts';
import type { StepResult } from './crossplane.ts';
import { CALM } from './faults.ts';
import { AWS } from './flavours.ts';
import { neverTooFew, neverTooMany } from './invariants.ts';
import { Ledger, needed } from './ledger.ts';
import { newLife, type Life } from './machines.ts';
import { quorum } from './quorum.ts';
import { controlPlane, IMAGE, resized, workers } from './scenarios/scenario.ts';
import { wayOf } from './ways.ts';
import { World } from './world.ts';

interface Given {
  readonly spec?: JsonObject;
  readonly isNode?: boolean;
  readonly sick?: boolean;
  readonly ill?: boolean;
  readonly going?: number;
}

function life(name: string, { spec = {}, isNode = true, ...rest }: Given): Life {
  const base = aMachine({ name });
  const labels = { ...base.metadata?.labels, [LABEL.slot]: name.slice(1) };
  const object = { ...base, metadata: { ...base.metadata, labels }, spec: { ...base.spec, ...spec } };
  return { ...newLife(object, 0, new Chance(0), CALM), isNode, ...rest };
}

function worldOf(spec: JsonObject, machines: readonly Given[]): World {
  const world = new World(spec, AWS, new Chance(0), CALM);
  for (const [slot, given] of machines.entries()) {
    world.lives.set(`m${slot}`, life(`m${slot}`, given));
    world.crossplane.refs.set(`m${slot}`, 'slipway.dev/v1alpha1');
  }
  return world;
}

function resultOf(world: World, done: Partial<StepResult>): StepResult {
  const view = world.view();
  const nothing = { created: [], deleted: [], ordered: [], patched: [] };
  const reply = { resources: new Map(), status: {}, compositeReady: 'Unspecified' as const, ttl: 60 };
  const before = new Map([...world.lives].map(([name, one]) => [name, { ...one }]));
  return { view, before, ...nothing, reply: { ...reply, conditions: [], events: [] }, release: 'current', ...done };
}

const well = (count: number): readonly Given[] => Array(count).fill({});
const order = (name: string) => ({ name, id: 'x', disruptive: true });

describe('quorum', () => {
  it.each([
    { name: 'one of three is deleted', size: well(3), done: { deleted: ['m0'] } },
    { name: 'one of two is deleted', size: well(2), done: { deleted: ['m0'] } },
    { name: 'a second joins the first', size: well(1), done: { created: ['m9'] } },
    { name: 'a fourth joins three', size: well(3), done: { created: ['m9'] } },
    { name: 'one of three is updated', size: well(3), done: { ordered: [order('m0')] } },
    {
      name: 'an unhealthy one of five is deleted',
      size: [{ sick: true }, { sick: true }, ...well(3)],
      done: { deleted: ['m0'] },
    },
    { name: 'one that never joined is deleted', size: [{ isNode: false }, ...well(3)], done: { deleted: ['m0'] } },
  ])('is kept when $name', ({ size, done }) => {
    expect(() => quorum(resultOf(worldOf(controlPlane(3), size), done))).not.toThrow();
  });

  it.each([
    { name: 'two of five are deleted', size: well(5), done: { deleted: ['m0', 'm1'] } },
    { name: 'one is deleted and one is updated', size: well(5), done: { deleted: ['m0'], ordered: [order('m1')] } },
    { name: 'one is deleted and another joins', size: well(3), done: { deleted: ['m0'], created: ['m9'] } },
    {
      name: 'one is deleted while another is being deleted',
      size: [{ going: 2 }, ...well(4)],
      done: { deleted: ['m1'] },
    },
    {
      name: 'one joins while another has not joined yet',
      size: [{ isNode: false }, ...well(3)],
      done: { created: ['m9'] },
    },
    {
      name: 'a healthy one of three is deleted and one is unhealthy',
      size: [{ sick: true }, ...well(2)],
      done: { deleted: ['m1'] },
    },
    {
      name: 'a fourth joins, and one of three is unhealthy',
      size: [{ sick: true }, ...well(2)],
      done: { created: ['m9'] },
    },
    { name: 'one of two is updated', size: well(2), done: { ordered: [order('m0')] } },
    { name: 'the only one is deleted', size: well(1), done: { deleted: ['m0'] } },
  ])('is lost when $name', ({ size, done }) => {
    expect(() => quorum(resultOf(worldOf(controlPlane(3), size), done))).toThrow(/etcd/);
  });
});

describe('budgets', () => {
  it('are exceeded by a deletion if none may be unavailable, and not if one may', () => {
    const machines = [{}, {}, {}];
    expect(() => neverTooFew(resultOf(worldOf(workers(3, 1, 0), machines), { deleted: ['m0'] }))).toThrow('2 machines');
    expect(() => neverTooFew(resultOf(worldOf(workers(3, 0, 1), machines), { deleted: ['m0'] }))).not.toThrow();
  });

  it('include machines that are being deleted when one is created', () => {
    const world = worldOf(workers(3, 1, 0), [{ going: 1 }, {}, {}, {}, {}]);
    expect(() => neverTooMany(world, resultOf(world, { created: ['m4'] }))).toThrow('5 machines exist');
    expect(() => neverTooMany(world, resultOf(world, {}))).not.toThrow();
  });
});

const OLD = { spec: { machine: { class: 'standard-4' } } };
const NEW = { spec: { machine: IMAGE } };

describe('what the best sequence needs', () => {
  it.each([
    { name: 'a new image', pool: { ...workers(3, 1, 0), machine: IMAGE }, machines: [OLD, OLD, OLD], needs: [3, 3] },
    {
      name: 'a new image, half done',
      pool: { ...workers(3, 1, 0), machine: IMAGE },
      machines: [OLD, OLD, NEW],
      needs: [2, 2],
    },
    {
      name: 'a new image and fewer replicas',
      pool: { ...workers(2, 1, 0), machine: IMAGE },
      machines: [OLD, OLD, NEW],
      needs: [1, 2],
    },
    {
      name: 'fewer replicas during a roll-out',
      pool: { ...workers(3, 1, 0), machine: IMAGE },
      machines: [OLD, OLD, OLD, NEW, NEW, NEW],
      needs: [0, 3],
    },
    { name: 'a class', pool: { ...workers(3, 0, 1), ...resized }, machines: [OLD, OLD, OLD], needs: [0, 0] },
    {
      name: 'a class where none may be unavailable',
      pool: { ...workers(3, 1, 0), ...resized },
      machines: [OLD, OLD, OLD],
      needs: [1, 1],
    },
    {
      name: 'a class and fewer replicas',
      pool: { ...workers(2, 1, 0), ...resized },
      machines: [OLD, OLD, OLD],
      needs: [0, 1],
    },
    {
      name: 'an unhealthy machine',
      pool: workers(3, 1, 0),
      machines: [{ ...OLD, ill: true }, OLD, OLD],
      needs: [1, 1],
    },
    {
      name: 'a machine that is being deleted',
      pool: workers(3, 1, 0),
      machines: [{ ...OLD, going: 1 }, OLD, OLD],
      needs: [1, 0],
    },
    {
      name: 'nothing with OnDelete',
      pool: { ...workers(3, 1, 0), update: { strategy: 'OnDelete' }, machine: IMAGE },
      machines: [OLD, OLD, OLD],
      needs: [0, 0],
    },
  ])('is computed: $name', ({ pool, machines, needs: [created, deleted] }) => {
    expect(needed(worldOf(pool, machines))).toMatchObject({ created, deleted });
  });

  it('is not exceeded', () => {
    const world = worldOf({ ...workers(3, 0, 1), ...resized }, [OLD, OLD, OLD]);
    const ledger = new Ledger(world);
    expect(() => ledger.book(resultOf(world, { created: ['m9'] }))).toThrow('0 are enough');
  });
});

describe('the way a machine is changed', () => {
  const made = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    { name: 'nothing', spec: {}, way: 'Fits' },
    { name: 'a label', spec: { labels: { a: 'b' } }, way: 'Patch' },
    { name: 'a taint that evicts pods', spec: { taints: [{ key: 'a', effect: 'NoExecute' }] }, way: 'Disruptive' },
    { name: 'a taint that does not evict pods', spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] }, way: 'Patch' },
    { name: 'a kernel setting', spec: { provisioning: { sysctls: { a: '1' } } }, way: 'Gentle' },
    { name: 'a class', spec: resized, way: 'Disruptive' },
    { name: 'a class and an image', spec: { machine: { class: 'standard-8', image: 'x' } }, way: 'Replace' },
    { name: 'another zone', spec: { machine: { class: 'standard-4', zones: ['eu-west-1b'] } }, way: 'Replace' },
    { name: 'a restart', spec: { update: { rolloutAfter: '2026-01-01T00:00:15Z' } }, way: 'Replace' },
  ])('is known for $name', ({ spec, way }) => {
    const goal = { pool: worldOf(spec, []).pool, version: 'v1.35.4', resizes: true, now: made + 60_000 };
    expect(wayOf(life('m0', OLD).object, goal, made)).toBe(way);
  });
});
