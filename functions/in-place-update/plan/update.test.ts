import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { aMachine, aNodePool } from '../../../test/support/claims.ts';
import { budgetOf, termsOf } from '../budget.ts';
import { Claims } from '../claims.ts';
import { InPlaceUpdateInput } from '../input.ts';
import { rulebook } from '../rulebook.ts';
import type { SlotState, Step } from './step.ts';
import { planUpdate } from './steps.ts';

const INPUT = InPlaceUpdateInput.parse({
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'InPlaceUpdateInput',
  rules: [
    { path: 'spec.labels', decision: 'Patch' },
    { path: 'spec.taints', when: 'size(new) > 0', decision: 'Update', updater: 'taints' },
    { path: 'spec.taints', decision: 'Patch' },
    { path: 'spec.machine.class', decision: 'Update', updater: 'resize' },
    { path: 'spec.provisioning.sysctls', decision: 'Update', updater: 'sysctl' },
  ],
  updaters: [
    { name: 'resize', runsOn: 'Machine' },
    { name: 'taints', runsOn: 'Machine' },
    { name: 'sysctl', runsOn: 'Node', disruptive: false },
  ],
});

interface Pool {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly fallback?: 'Recreate' | 'Hold';
  readonly strategy?: 'RollingUpdate' | 'OnDelete';
}

interface Life {
  readonly object: KubeObject;
  readonly ready: boolean;
}

const PHASES = ['Pending', 'Draining', 'Running', 'Succeeded'];

/** Machines that carry out what they are ordered, one phase at a time, when `moves` lets them. */
class Group {
  readonly machines = new Map<string, Life>();
  readonly begun: string[] = [];
  readonly log: string[] = [];
  /** Machines that were dropped for the very target they had been told to update to. */
  readonly wasted: string[] = [];
  /** What each machine was ordered and began, in order. */
  readonly history: string[] = [];
  readonly #ordered = new Map<string, string>();
  spec: JsonObject = aMachine().spec ?? {};
  fails = (_order: string): boolean => false;
  #revision = 0;
  readonly pool: Pool;

  constructor(pool: Pool) {
    this.pool = pool;
    for (let slot = 0; slot < pool.replicas; slot += 1) {
      const object = this.#desired(slot);
      this.machines.set(nameOf(object), { object, ready: true });
    }
  }

  edit(spec: JsonObject): this {
    this.#revision += 1;
    this.spec = { ...this.spec, ...spec };
    return this;
  }

  #desired(slot: number): KubeObject {
    const base = aMachine();
    const labels = { ...base.metadata?.labels, [LABEL.slot]: String(slot) };
    return { ...base, metadata: { ...base.metadata, name: `m-${slot}-r${this.#revision}`, labels }, spec: this.spec };
  }

  plan(): readonly Step[] {
    const { replicas, ...update } = this.pool;
    const composite = aNodePool({ spec: { replicas, update } });
    const slots = Array.from({ length: replicas }, (_, slot): SlotState => {
      const mine = [...this.machines].filter(([, { object }]) => slotOf(object) === String(slot));
      const members = mine.map(([key, life]) => ({ key, name: key, available: life.ready, ...life }));
      return { slot: String(slot), desired: this.#desired(slot), members };
    });
    const book = rulebook(INPUT);
    return planUpdate(slots, {
      input: INPUT,
      book,
      claims: new Claims([]),
      composite,
      budget: budgetOf(termsOf(composite), replicas, 0),
    });
  }

  /** One call and what Crossplane makes of it, then one move of every machine that may. */
  step(moves: (name: string) => boolean = () => true): readonly Step[] {
    const steps = this.plan();
    const wanted = new Map(steps.flatMap(({ out }) => (out === undefined ? [] : [[out.key, out.object] as const])));
    for (const name of this.machines.keys())
      if (!wanted.has(name)) {
        this.machines.delete(name);
        this.log.push(`dropped ${name}`);
        if (this.#ordered.get(name)?.endsWith(` ${this.#revision}`) === true) this.wasted.push(name);
      }
    for (const [name, object] of wanted) {
      const was = this.machines.get(name);
      const status = was?.object.status ?? {};
      const id = stringAt(object, 'spec', 'update', 'id');
      if (id !== undefined && this.#ordered.get(name)?.startsWith(`${id} `) !== true) {
        this.#ordered.set(name, `${id} ${this.#revision}`);
        this.history.push(`${name} ordered ${id}`);
      }
      this.machines.set(name, { object: { ...object, status }, ready: was?.ready ?? false });
    }
    for (const [name, life] of this.machines) if (moves(name)) this.machines.set(name, this.#move(name, life));
    return steps;
  }

  #move(name: string, life: Life): Life {
    const id = stringAt(life.object, 'spec', 'update', 'id');
    const told = at(life.object, 'status', 'update');
    const phase = at(told, 'id') === id ? stringAt(told, 'phase') : undefined;
    if (id === undefined || phase === 'Succeeded' || phase === 'Failed') return { ...life, ready: phase !== 'Failed' };
    const next = PHASES[PHASES.indexOf(phase ?? '') + 1] ?? 'Succeeded';
    if (next === 'Draining') {
      this.begun.push(`${name} ${id}`);
      this.history.push(`${name} began ${id}`);
    }
    const ended = next === 'Succeeded' && this.fails(name) ? 'Failed' : next;
    const drained =
      at(life.object, 'spec', 'update', 'disruptive') === true && ended !== 'Succeeded' && next !== 'Pending';
    const status = { update: { id, phase: ended } };
    return { object: { ...life.object, status }, ready: !drained };
  }

  /** Ready, and not about to be drained: the worst of every order is assumed. */
  get available(): number {
    return [...this.machines.values()].filter(
      ({ object, ready }) => ready && !(isOpen(object) && at(object, 'spec', 'update', 'disruptive') === true),
    ).length;
  }

  get settled(): boolean {
    const lives = [...this.machines.values()];
    return (
      lives.length === this.pool.replicas &&
      lives.every(({ object, ready }) => ready && !isOpen(object) && this.isTarget(object))
    );
  }

  isTarget({ spec = {} }: KubeObject): boolean {
    const { update: _order, ...own } = spec;
    return sameJson(own, this.spec);
  }

  settle(limit = 300): this {
    for (let i = 0; i < limit && !this.settled; i += 1) this.step();
    return this;
  }

  get names(): readonly string[] {
    return [...this.machines.keys()].toSorted();
  }
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}
function slotOf({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[LABEL.slot];
}
function isOpen(object: KubeObject): boolean {
  const id = stringAt(object, 'spec', 'update', 'id');
  const told = at(object, 'status', 'update');
  return (
    id !== undefined && !(at(told, 'id') === id && ['Succeeded', 'Failed'].includes(stringAt(told, 'phase') ?? ''))
  );
}

const RESIZE = { machine: { class: 'standard-8' } };
const SYSCTL = { provisioning: { sysctls: { 'vm.max_map_count': '1' } } };

describe('updates in place', () => {
  it('go one after the other where one may be unavailable, and replace nothing', () => {
    const group = new Group({ replicas: 3, maxSurge: 0, maxUnavailable: 1 });
    const { names } = group;
    group.edit(RESIZE).settle();
    expect(group.settled).toBe(true);
    expect(group.names).toEqual(names);
    expect(group.begun).toHaveLength(3);
  });

  it('replace exactly one where none may be unavailable: the old one stands in until the others are done', () => {
    const group = new Group({ replicas: 3, maxSurge: 1, maxUnavailable: 0 });
    const { names } = group;
    group.edit(RESIZE).settle();
    expect(group.settled).toBe(true);
    expect(group.names.filter((name) => names.includes(name))).toHaveLength(2);
    expect(group.begun).toHaveLength(2);
    expect(group.log).toEqual(['dropped m-0-r0']);
  });

  it('that leave the node available need no budget', () => {
    const group = new Group({ replicas: 3, maxSurge: 1, maxUnavailable: 0 });
    const { names } = group;
    group.edit(SYSCTL).settle();
    expect(group.settled).toBe(true);
    expect(group.names).toEqual(names);
  });

  it('are held where none may be unavailable and none may be replaced', () => {
    const group = new Group({ replicas: 2, maxSurge: 1, maxUnavailable: 0, fallback: 'Hold' });
    group.edit(RESIZE).settle(10);
    expect(group.begun).toEqual([]);
    expect(group.plan().map(({ action, blockedBy }) => `${action} ${blockedBy}`)).toEqual([
      'Hold update.maxUnavailable',
      'Hold update.maxUnavailable',
    ]);
  });

  it('wait like a replacement where somebody has to delete, and what is patched does not', () => {
    const group = new Group({ replicas: 2, maxSurge: 1, maxUnavailable: 0, strategy: 'OnDelete' });
    const { names } = group;
    for (const change of [RESIZE, { version: 'v1.36.0' }]) {
      group.edit({ ...change, labels: { team: 'a' } }).settle(5);
      expect(group.names).toEqual(names);
      expect(group.begun).toEqual([]);
      const labels = [...group.machines.values()].map(({ object }) => at(object, 'spec', 'labels'));
      expect(labels).toEqual([{ team: 'a' }, { team: 'a' }]);
      expect(group.plan().map(({ blockedBy }) => blockedBy)).toEqual(['update.strategy', 'update.strategy']);
    }
  });

  it('that fail stop the rest, are not tried again, and go on with another target', () => {
    const group = new Group({ replicas: 3, maxSurge: 0, maxUnavailable: 1 });
    group.fails = () => true;
    group.edit(RESIZE).settle(20);
    expect(group.begun).toHaveLength(1);
    expect(group.plan().filter(({ action }) => action === 'Hold')).toMatchObject([{ reason: 'its update failed' }]);
    group.fails = () => false;
    group.settle(20);
    expect(group.begun, 'the same target is not tried again').toHaveLength(1);
    group.edit({ machine: { class: 'standard-16' } }).settle();
    expect(group.settled).toBe(true);
  });

  it('carry on what an order that did not begin was to bring about', () => {
    const group = new Group({ replicas: 1, maxSurge: 0, maxUnavailable: 1 });
    group.edit(RESIZE).step(() => false);
    group.edit(SYSCTL).step(() => false);
    const [life] = group.machines.values();
    expect(at(life?.object, 'spec', 'update', 'updaters')).toMatchObject([
      { name: 'resize', fields: ['spec.machine.class'] },
      { name: 'sysctl', fields: ['spec.provisioning.sysctls["vm.max_map_count"]'] },
    ]);
  });

  it('that began are brought to their end before a newer target follows', () => {
    const group = new Group({ replicas: 1, maxSurge: 0, maxUnavailable: 1 });
    group.edit(RESIZE).step();
    group.step();
    const id = stringAt([...group.machines.values()][0]?.object, 'spec', 'update', 'id');
    group.edit({ machine: { class: 'standard-16' }, version: 'v1.36.0' });
    const [step] = group.plan();
    expect(step).toMatchObject({ action: 'Update', blockedBy: `update ${id}` });
    expect(at(step?.out?.object, 'spec', 'machine', 'class')).toBe('standard-8');
    expect(at(step?.out?.object, 'spec', 'update', 'id')).toBe(id);
    group.settle();
    expect(group.settled).toBe(true);
  });
});

describe('a value that comes back after it was taken away by a patch', () => {
  const TAINTED = { taints: [{ key: 'maintenance', effect: 'NoExecute' }] };

  it('is carried out again, one machine after the other: what it disturbs it disturbs again', () => {
    const group = new Group({ replicas: 2, maxSurge: 0, maxUnavailable: 1 });
    group.edit(TAINTED).settle();
    group.edit({ taints: [] }).settle();
    expect(group.begun).toHaveLength(2);
    group.edit(TAINTED);
    while (!group.settled) stepWithin(group, () => true);
    expect(group.begun).toHaveLength(4);
    expect(new Set(group.begun).size, 'an id is carried out once').toBe(4);
  });

  it('is tried again when it failed', () => {
    const group = new Group({ replicas: 1, maxSurge: 0, maxUnavailable: 1 });
    group.fails = () => true;
    group.edit(TAINTED).settle(20);
    group.fails = () => false;
    group.edit({ taints: [] }).settle(5);
    group.edit(TAINTED).settle(20);
    // The one that failed, the one that took it back, and the one that is tried again.
    expect(group.begun).toHaveLength(3);
    expect(group.plan()).toMatchObject([{ action: 'Keep', upToDate: true }]);
  });

  it('frees the machine that failed when it is not wanted any more: an order that disrupts nobody ends it', () => {
    const group = new Group({ replicas: 2, maxSurge: 0, maxUnavailable: 1 });
    group.fails = () => true;
    group.edit(TAINTED).settle(20);
    expect(group.plan().map(({ action }) => action)).toEqual(['Hold', 'Keep']);
    group.fails = () => false;
    const [step] = group.edit({ taints: [] }).plan();
    expect(step).toMatchObject({
      action: 'Update',
      out: { object: { spec: { taints: [], update: { disruptive: false } } } },
    });
    group.settle(20);
    expect(group.plan().map(({ action }) => action)).toEqual(['Keep', 'Keep']);
  });
});

const edit = fc.constantFrom<JsonObject>(
  RESIZE,
  SYSCTL,
  { machine: { class: 'standard-4' } },
  { machine: { class: 'standard-16' }, labels: { team: 'b' } },
  { provisioning: { sysctls: {} } },
  { labels: { team: 'a' } },
  { version: 'v1.36.0' },
  { version: 'v1.35.4' },
  { taints: [{ key: 'maintenance', effect: 'NoExecute' }] },
  { taints: [] },
);
const pool = fc
  .record({
    replicas: fc.integer({ min: 1, max: 5 }),
    maxSurge: fc.integer({ min: 0, max: 2 }),
    maxUnavailable: fc.integer({ min: 0, max: 2 }),
  })
  .filter(({ maxSurge, maxUnavailable }) => maxSurge + maxUnavailable > 0);

describe('whatever is edited, whenever, however slow machines are', () => {
  it('the budgets hold, no order is begun twice on a machine, and it ends where the claim says', () => {
    fc.assert(
      fc.property(
        pool,
        fc.array(fc.record({ edit, steps: fc.integer({ min: 0, max: 6 }), slow: fc.integer({ min: 0, max: 4 }) }), {
          maxLength: 6,
        }),
        (given, edits) => {
          const group = new Group(given);
          let tick = 0;
          for (const { edit: change, steps, slow } of edits) {
            group.edit(change);
            for (let i = 0; i < steps; i += 1) {
              tick += 1;
              const turn = tick;
              stepWithin(group, (name) => slow === 0 || (name.charCodeAt(2) + turn) % (slow + 1) !== 0);
            }
          }
          for (let i = 0; i < 200 && !group.settled; i += 1) stepWithin(group, () => true);
          expect(
            group.settled,
            JSON.stringify(group.plan().map(({ name, action, reason }) => [name, action, reason])),
          ).toBe(true);
          expect(group.wasted).toEqual([]);
          expect(twiceInARow(group.history)).toEqual([]);
          expect(group.plan().map(({ action }) => action)).toEqual(Array(given.replicas).fill('Keep'));
        },
      ),
      { numRuns: 400 },
    );
  });
});

/** Orders that a machine began again though it was told nothing else in between. */
function twiceInARow(history: readonly string[]): readonly string[] {
  const lines = Map.groupBy(history, (entry) => entry.split(' ')[0]);
  return [...lines.values()].flatMap((own) => own.filter((entry, i) => i > 0 && own[i - 1] === entry));
}

function stepWithin(group: Group, moves: (name: string) => boolean): void {
  const { replicas, maxSurge, maxUnavailable } = group.pool;
  const before = { available: group.available, total: group.machines.size };
  // What the call itself decides, before any machine moves.
  group.step(() => false);
  expect(group.available).toBeGreaterThanOrEqual(Math.min(before.available, replicas - maxUnavailable));
  expect(group.machines.size).toBeLessThanOrEqual(Math.max(before.total, replicas + maxSurge));
  group.step(moves);
}
