/**
 * Names that every JavaScript object inherits, in every text of a claim: a look-up that finds `constructor` in a table
 * answers "internal error", or worse. Each call gives an answer or a refusal with a code of ours.
 */
import { describe, expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import * as cluster from '../../functions/cluster/cluster.fixture.ts';
import * as machine from '../../functions/machine/machine.fixture.ts';
import { request as poolRequest } from '../../functions/nodepool/pool.fixture.ts';
import { run as nodePool } from '../../functions/nodepool/fn.ts';
import { replyOf } from '../support/function-laws.ts';
import { aNodePool } from '../support/claims.ts';

const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__'] as const;

type Change = (name: string) => Json;

/** Every way to put a name in the place of one text of a value, or beside the keys of one of its objects. */
function changesOf(
  value: Json | undefined,
  path: string,
): readonly { readonly path: string; readonly change: Change }[] {
  if (typeof value === 'string') return [{ path, change: (name) => name }];
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.flatMap((item, index) =>
      changesOf(item, `${path}[${index}]`).map((one) => ({
        path: one.path,
        change: (name: string): Json => items.with(index, one.change(name)),
      })),
    );
  }
  if (!isJsonObject(value)) return [];
  const inside = Object.entries(value).flatMap(([key, below]) =>
    changesOf(below, `${path}.${key}`).map((one) => ({
      path: one.path,
      change: (name: string): Json => ({ ...value, [key]: one.change(name) }),
    })),
  );
  const beside = (name: string): Json => Object.fromEntries([...Object.entries(value), [name, 'x']]);
  return [...inside, { path: `${path}.<key>`, change: beside }];
}

const FULL_MACHINE: JsonObject = {
  class: 'standard-4',
  image: 'ubuntu-24.04',
  os: 'linux',
  rootDisk: { sizeGiB: 40, type: 'gp3', encrypted: true },
};
const OVERRIDES: JsonObject = {
  overrides: [
    { kind: 'Instance', resource: 'instance', patch: { spec: { forProvider: { monitoring: true } } } },
    { kind: 'LB', patch: { metadata: { labels: { team: 'a' } } } },
  ],
};

/** What the Composition allows of it. */
const ALLOWED = { overrides: { '*': ['metadata.labels["team"]'], Instance: ['spec.forProvider.monitoring'] } };

interface Step {
  readonly name: string;
  readonly spec: JsonObject;
  readonly call: (spec: JsonObject) => Promise<unknown>;
}

const specOf = ({ spec }: KubeObject): JsonObject => spec ?? {};

const STEPS: readonly Step[] = [
  {
    name: 'cluster',
    spec: {
      ...specOf(cluster.aClaim({ infrastructure: OVERRIDES })),
      provisioning: { format: 'cloud-init', ntp: { servers: ['ntp.example.com'] }, sysctls: { 'vm.swappiness': '0' } },
    },
    call: (spec) => cluster.call({ claim: { ...cluster.aClaim(), spec }, input: cluster.anInput(ALLOWED) }),
  },
  {
    name: 'machine',
    spec: { ...specOf(machine.aMachine({ infrastructure: OVERRIDES })), machine: FULL_MACHINE, labels: { team: 'a' } },
    call: (spec) => machine.call({ machine: { ...machine.aMachine(), spec }, input: machine.anInput(ALLOWED) }),
  },
  {
    name: 'nodepool',
    spec: {
      ...specOf(aNodePool()),
      machine: { ...FULL_MACHINE, zones: ['eu-west-1a'] },
      infrastructure: OVERRIDES,
      labels: { team: 'a' },
      taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
      update: { maxSurge: '25%', maxUnavailable: 0, strategy: 'RollingUpdate', fallback: 'Recreate' },
      health: { nodeStartupTimeout: '20m', maxUnhealthy: '50%' },
    },
    call: (spec) => replyOf(nodePool, poolRequest({ pool: { ...aNodePool(), spec } })),
  },
];

/** Whether it can be sent: a function, which a careless look-up finds, is no JSON. */
function isPlain(value: unknown): boolean {
  if (value instanceof Map) return isPlain(Object.fromEntries(value));
  if (Array.isArray(value)) return value.every(isPlain);
  if (isJsonObject(value)) return Object.values(value).every(isPlain);
  return ['string', 'number', 'boolean', 'undefined'].includes(typeof value) || value === null;
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof SlipwayError ? thrown.code : `not ours: ${String(thrown)}`;

describe.for(STEPS)('the $name step', ({ spec, call }) => {
  test('accepts the claim as it is, otherwise this proves nothing', async () => {
    await expect(call(spec)).resolves.toBeDefined();
  });

  test('answers or refuses each inherited name in each place', async () => {
    const places = changesOf(spec, 'spec');
    expect(places.length).toBeGreaterThan(10);
    const wrong: string[] = [];
    for (const { path, change } of places)
      for (const name of NAMES) {
        const code = await call(change(name) as JsonObject).then(
          (reply) => (isPlain(reply) ? 'answered' : 'an answer that is no JSON'),
          codeOf,
        );
        if (!['answered', 'InvalidClaim', 'Unsupported'].includes(code)) wrong.push(`${path} ${name}: ${code}`);
      }
    expect(wrong).toEqual([]);
  });
});
