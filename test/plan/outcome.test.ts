/** A part of what `npm run plan:outcome` tries, and pairs for which a plan was wrong once. */
import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { summaryOf } from '../../cli/plan/entry.ts';
import { printed } from '../../cli/plan/print.ts';
import type { Case, Edit } from './case.ts';
import { compare } from './compare.ts';
import { replay, search } from './search.ts';

const MACHINE = { class: 'standard-4' };
const NONE = { patched: 0, updated: 0, replaced: 0, created: 0, removed: 0, held: 0 };

const workers = (spec: JsonObject, edit: Edit, before?: Case['before']): Case => ({
  role: 'worker',
  spec: { machine: MACHINE, ...spec },
  edit,
  seed: 1,
  ...(before === undefined ? {} : { before }),
});
const controlPlane = (replicas: number, cluster: JsonObject, before?: Case['before']): Case => ({
  role: 'control-plane',
  spec: { controlPlane: { replicas, machine: MACHINE } },
  edit: { cluster },
  seed: 1,
  ...(before === undefined ? {} : { before }),
});

describe('a plan equals what happens then', () => {
  it('for generated pairs of state and edit', async () => {
    expect(await search({ runs: 60, seed: 11 })).toBeUndefined();
  });

  test.for([
    {
      name: 'a machine that will be deleted serves as a temporary replacement during updates',
      one: workers({ replicas: 3 }, { pool: { replicas: 2, machine: { class: 'standard-8' } } }),
      comesTo: { updated: 2, removed: 1 },
    },
    {
      name: 'a smaller pool with another image replaces only the machines that remain',
      one: workers({ replicas: 4 }, { pool: { replicas: 2, machine: { class: 'standard-4', image: 'b' } } }),
      comesTo: { replaced: 2, removed: 2 },
    },
    {
      name: 'a control plane is scaled down and changes its version',
      one: controlPlane(3, { version: 'v1.35.5', controlPlane: { replicas: 1 } }),
      comesTo: { replaced: 1, removed: 2 },
    },
    {
      name: 'a control plane is scaled up and changes its image',
      one: controlPlane(1, { controlPlane: { replicas: 3, machine: { image: 'b' } } }),
      comesTo: { replaced: 1, created: 2 },
    },
    {
      name: 'workers do not follow a version that their control plane refuses',
      one: workers({ replicas: 2 }, { cluster: { version: 'v1.34.4' } }),
      comesTo: { held: 2 },
    },
    {
      name: 'workers follow a version that their control plane reaches',
      one: workers({ replicas: 2 }, { cluster: { version: 'v1.36.0' } }),
      comesTo: { replaced: 3 },
    },
    {
      name: 'the old machines are deleted first when a pool is scaled down during a roll-out',
      one: workers(
        { replicas: 4 },
        { pool: { replicas: 2 } },
        { edit: { pool: { machine: { image: 'b' } } }, steps: 6 },
      ),
      comesTo: { replaced: 1, removed: 2 },
    },
  ])('$name', async ({ one, comesTo }) => {
    const { differences, entries } = await compare(one);
    expect(differences, replay(one)).toEqual([]);
    expect(summaryOf(entries).machines).toEqual({ ...NONE, ...comesTo });
  });

  it('and a field that is updated until a version arrives, with which its machine is replaced, has one line', async () => {
    const before = { edit: { pool: { machine: { instanceType: 'm6i.2xlarge', class: null } } }, steps: 1 };
    const edit = { pool: { machine: { instanceType: 'r6i.large', class: null } }, cluster: { version: 'v1.36.0' } };
    const one = workers({ replicas: 1, update: { maxSurge: 1, maxUnavailable: 0 } }, edit, before);
    const { differences, entries } = await compare(one);
    expect(differences, replay(one)).toEqual([]);
    const fields = entries.filter(({ field }) => field !== '').map(({ name, field }) => `${name} ${field}`);
    expect(fields).toEqual([...new Set(fields)]);
  });

  // A new size and a new patch release are made in place; which machine makes room depends on the budget.
  test.for(
    [
      { machine: { class: 'standard-8' } },
      { machine: { class: 'standard-8', image: 'b' } },
      { version: 'v1.35.5' },
      { labels: { team: 'a' } },
    ].flatMap((pool) =>
      [
        { maxSurge: 1, maxUnavailable: 0 },
        { maxSurge: 2, maxUnavailable: 0 },
        { maxSurge: 0, maxUnavailable: 1 },
        { maxSurge: 1, maxUnavailable: 1 },
      ].flatMap((update) => [1, 3].map((replicas) => ({ pool, update, replicas }))),
    ),
  )('and each machine has what happens to it in its own lines: %j', async ({ pool, update, replicas }) => {
    const { version, ...rest } = { version: undefined, ...pool };
    const edit = version === undefined ? { pool: rest } : { cluster: { version } };
    const one = workers({ replicas, update }, edit);
    expect((await compare(one)).differences, replay(one)).toEqual([]);
  });

  it('shows that control-plane machines are deleted one at a time', async () => {
    const { entries } = await compare(controlPlane(3, { version: 'v1.35.5', controlPlane: { replicas: 1 } }));
    const drops = entries.filter(({ decision }) => decision === 'Drop');
    expect(drops.map(({ blockedBy }) => blockedBy)).toContain('one control-plane machine at a time');
  });

  it('shows no old and new values for an update in progress, because they are unknown', async () => {
    const before = { edit: { pool: { machine: { class: 'standard-8' } } }, steps: 3 };
    const spec = { replicas: 2, update: { maxSurge: 0, maxUnavailable: 1 } };
    const { entries } = await compare(workers(spec, { pool: { labels: { team: 'a' } } }, before));
    expect(entries.some(({ reason }) => /^update \w+ is /.test(reason))).toBe(true);
    expect(printed(entries, 'table', (_tone, text) => text)).not.toContain('(none) → (none)');
  });
});
