import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { clusterSettings } from '#lib/fn/cluster-settings.ts';
import { aCluster, aNodePool, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, groupOf, made, request, type World } from './pool.fixture.ts';

const LONG_AGO = '2025-01-01T00:00:00Z';
const UNTIMED = await made(aNodePool());
const MACHINES = UNTIMED.map((machine) => readySince(machine, LONG_AGO));
const GOING = { ...MACHINES[2]!, metadata: { ...MACHINES[2]!.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };

const OWNED = [{ uid: 'pool-uid', controller: true }];

function readySince(machine: KubeObject, lastTransitionTime: string): KubeObject {
  const listed = machine.status?.['conditions'] as readonly JsonObject[];
  return withStatus(machine, { conditions: listed.map((one) => ({ ...one, lastTransitionTime })) });
}

/** The pool as Crossplane observes it once all of its machines are ready. */
function rested({ status = {}, references = MACHINES, spec = {} }: Parts = {}) {
  const resourceRefs = references.map(({ kind, metadata }) => ({ kind, name: metadata?.name ?? '' }));
  return aNodePool({
    spec: { ...spec, crossplane: { resourceRefs } },
    status: { replicas: 3, nextSerial: 3, ...status },
  });
}

interface Parts {
  readonly status?: JsonObject;
  readonly spec?: JsonObject;
  readonly references?: readonly KubeObject[];
}

const look = (world: World) => replyOf(run, request({ pool: rested(), machines: MACHINES, ...world }));

describe('a pool that may rest', () => {
  it('is called each ten minutes and reads no list of its machines, which it observes', async () => {
    const reply = await look({});
    expect(reply.ttl).toBe(600);
    expect([...reply.requirements.keys()]).not.toContain('machines');
    expect(composed(reply)).toHaveLength(3);
  });

  it('does not rest longer than the Composition says', async () => {
    const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', ttl: '30s' };
    expect((await look({ input })).ttl).toBe(30);
  });
});

it('hashes what machines take from their Cluster, and nothing that Crossplane or the functions write', () => {
  const hash = clusterSettings(aCluster());
  expect(clusterSettings(withStatus(aCluster(), { addons: { version: 'v1.35.4' } }))).toBe(hash);
  for (const spec of [
    { version: 'v1.35.5' },
    { bootstrap: { config: { a: 1 } } },
    { provisioning: { packages: ['a'] } },
  ])
    expect(clusterSettings(aCluster({ spec }))).not.toBe(hash);
});

describe('a pool reads the list of its machines if one of them may be hidden', () => {
  const [first, second, third] = MACHINES as [KubeObject, KubeObject, KubeObject];
  it.each<[string, World]>([
    ['one is being deleted', { machines: [first, second, GOING] }],
    ['one that it refers to is not observed', { machines: [first, second] }],
    [
      'one that it counted is neither observed nor referred to',
      { pool: rested({ references: [first, second] }), machines: [first, second] },
    ],
    ['one was removed and is still listed', { pool: rested({ status: { released: ['general-9-gone'] } }) }],
    ['one was created in the place of another since', { pool: rested({ status: { nextSerial: 0 } }) }],
    ['it does not know how many there were', { pool: rested({ status: { replicas: 0, nextSerial: 0 } }) }],
    ['Crossplane does not say what it refers to', { pool: withoutReferences() }],
    ['one became ready a moment ago', { machines: [first, second, readySince(third, '2025-12-31T23:59:00Z')] }],
    ['nobody knows since when one is ready', { machines: [first, second, UNTIMED[2]!] }],
    ['one is to be changed', { pool: rested({ spec: { machine: { class: 'standard-8' } } }) }],
    ['one is to be created', { pool: rested({ spec: { replicas: 4 } }) }],
    ['one is to go', { pool: rested({ spec: { replicas: 2 } }) }],
    ['it has none', { pool: rested({ status: { replicas: 0 }, references: [] }), machines: [] }],
  ])('%s', async (_what, world) => {
    const reply = await look(world);
    expect([...reply.requirements.keys()]).toContain('machines');
    expect(reply.ttl).toBeLessThanOrEqual(60);
  });

  it('and then keeps it, and counts it among those that leave', async () => {
    const observed = Object.fromEntries([first, second].map((one) => [one.metadata?.name ?? '', one]));
    const going = { ...GOING, metadata: { ...GOING.metadata, ownerReferences: OWNED } };
    const required = { cluster: [aCluster()], machines: [first, second, going] };
    expect(groupOf(await look({ observed, required })).leaving).toBe(1);
    const owned = {
      ...third,
      metadata: { ...third.metadata, ownerReferences: OWNED },
    };
    const kept = await look({ observed, required: { ...required, machines: [first, second, owned] } });
    expect(composed(kept).map(({ metadata }) => metadata?.name)).toContain(third.metadata?.name);
  });
});

it('keeps a machine that was created after the pool was read, which neither its references nor its status name', async () => {
  const pool = rested({ spec: { replicas: 4 } });
  const metadata = {
    ...MACHINES[2]!.metadata,
    name: 'general-3-other',
    annotations: {},
    ownerReferences: OWNED,
  };
  const created = { ...MACHINES[2]!, metadata };
  const reply = await look({ pool, required: { cluster: [aCluster()], machines: [...MACHINES, created] } });
  expect(composed(reply).map((machine) => machine.metadata?.name)).toContain('general-3-other');
});

function withoutReferences(): KubeObject {
  const { crossplane: _crossplane, ...spec } = rested().spec ?? {};
  return { ...rested(), spec };
}
