/**
 * What a cloud knows late: who an identity is, that a role counts, the number of a machine, and that it refuses what it
 * had taken on. Nothing is made from what is not known, and everything becomes Ready.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { exampleEngine } from '../support/example.ts';

interface Late {
  readonly cloud: string;
  /** Kinds of identities and of their roles, and the field that the role has from the identity. */
  readonly identity: string;
  readonly role: string;
  readonly reported: string;
  readonly field: string;
}

const CLOUDS: readonly Late[] = [
  {
    cloud: 'azure',
    identity: 'UserAssignedIdentity',
    role: 'RoleAssignment',
    reported: 'principalId',
    field: 'principalId',
  },
  { cloud: 'gcp', identity: 'ServiceAccount', role: 'ProjectIAMMember', reported: 'member', field: 'member' },
];

/** Objects of a cloud by kind. */
function listed(engine: Engine, cloud: string): readonly KubeObject[] {
  const { kinds = [] } = SIMULATED_CLOUDS.find(({ name }) => name === cloud) ?? {};
  return kinds.flatMap(({ apiVersion, kind }) => engine.list({ apiVersion, kind }));
}

const ready = (engine: Engine) => engine.runUntil(() => allReady(engine), { limitSeconds: 7200 });

describe.for(CLOUDS)('on $cloud', ({ cloud, identity, role, reported, field }) => {
  const early: string[] = [];
  /** Seconds at which each role was first seen, and at which it was Ready. */
  const [made, counts] = [new Map<string, number>(), new Map<string, number>()];
  /** Of each Machine when it was first seen. */
  const firstIds = new Map<string, unknown>();
  let engine: Engine;

  beforeAll(async () => {
    engine = exampleEngine({}, cloud);
    const known = new Set<string>();
    engine.subscribe((happening) => {
      if (happening.type !== 'object' || happening.change === 'deleted') return;
      const object = engine.get(happening.ref);
      const name = object?.metadata?.name ?? '';
      if (object?.kind === 'Machine' && !firstIds.has(name)) firstIds.set(name, at(object, 'status', 'instanceID'));
      if (object?.kind === identity) known.add(stringAt(object.status, 'atProvider', reported) ?? '');
      if (object?.kind !== role) return;
      const who = stringAt(object.spec, 'forProvider', field) ?? '';
      if (!known.has(who)) early.push(`${name}: ${who}`);
      if (!made.has(name)) made.set(name, happening.at);
      if (conditionOf(object, 'Ready')?.status === 'True' && !counts.has(name)) counts.set(name, happening.at);
    });
    const { reached } = await ready(engine);
    if (!reached) throw new Error(`the example does not become Ready on ${cloud}`);
  });

  test('a role is given once the cloud says who the identity is, and counts after minutes', () => {
    expect(early).toEqual([]);
    const waits = [...made].map(([name, second]) => (counts.get(name) ?? Infinity) - second);
    expect(waits.length).toBeGreaterThan(1);
    expect(Math.min(...waits)).toBeGreaterThan(60);
    expect(Math.max(...waits)).toBeLessThan(600);
  });

  test('a Machine has no id until the cloud has one', () => {
    expect([...firstIds.values()]).toEqual(Array(8).fill(undefined));
    const ids = engine
      .list({ apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine' })
      .map(({ status }) => stringAt(status, 'instanceID') ?? '');
    expect(new Set(ids).size).toBe(8);
  });
});

test.for(['aws', 'azure', 'gcp'])(
  'on %s, each object that is refused at first, after the cloud had taken it on, is made in the end',
  async (cloud) => {
    const engine = exampleEngine({ faults: { failedCreates: 1 } }, cloud);
    const refused = new Set<string>();
    engine.subscribe((happening) => {
      if (happening.type !== 'condition' || happening.condition.type !== 'LastAsyncOperation') return;
      if (happening.condition.status === 'False') refused.add(`${happening.ref.kind} ${happening.ref.name}`);
    });
    expect((await ready(engine)).reached).toBe(true);
    const all = listed(engine, cloud).map(({ kind, metadata }) => `${kind} ${metadata?.name}`);
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter((one) => !refused.has(one))).toEqual([]);
    expect(engine.snapshot().violations).toEqual([]);
  },
);
