import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, NODE_API_VERSION } from '#lib/api/words.ts';
import { CLAIM_FINALIZER, type HostWrite, hostWrites } from './hosts.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DELETED = '2026-01-01T00:00:00Z';

function host(name: string, spec: JsonObject = {}, status: JsonObject = {}): KubeObject {
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'Host',
    metadata: { name, namespace: 'team-a', uid: `uid-${name}` },
    spec: {
      size: 'large',
      failureDomain: 'rack-1',
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
      ...spec,
    },
    status,
  };
}

interface Own {
  readonly asks?: JsonObject;
  readonly host?: string;
  readonly deleted?: boolean;
  readonly created?: string;
}

function claim(
  name: string,
  { asks = {}, host, deleted = false, created = '2026-01-01T00:00:00Z' }: Own = {},
): KubeObject {
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'HostClaim',
    metadata: {
      name,
      namespace: 'team-a',
      creationTimestamp: created,
      ...(host === undefined
        ? {}
        : { annotations: { [CROSSPLANE.externalName]: host }, finalizers: [CLAIM_FINALIZER, 'another'] }),
      ...(deleted ? { deletionTimestamp: DELETED } : {}),
    },
    spec: {
      forProvider: {
        region: 'eu-west',
        failureDomain: 'rack-1',
        size: 'large',
        version: 'v1.35.4',
        rootDisk: { sizeGiB: 40, encrypted: true },
        role: 'worker',
        nodeName: name,
        userDataSecretRef: { name: `${name}-payload`, key: 'value' },
        ...asks,
      },
    },
  };
}

const held = (writes: readonly HostWrite[]) =>
  writes.flatMap((one) => (one.write === 'Hold' ? [`${one.claim.metadata?.name} ${one.host}`] : []));
const reported = (writes: readonly HostWrite[], name: string) =>
  writes.flatMap((one) => (one.write === 'Status' && one.object.metadata?.name === name ? [one.object] : []))[0];
const shown = (writes: readonly HostWrite[]) =>
  writes.map((one) => `${one.write} ${(one.write === 'Status' ? one.object : one.claim).metadata?.name}`);

const DATA_DISKS = [
  { has: [200, 100], gets: ['x a'] },
  { has: [960, 480, 20], gets: ['x a'] },
  { has: [200, 80], gets: [] },
  { has: [400], gets: [] },
];

describe('a claim gets', () => {
  test.for([
    { name: 'the first free host that fits', hosts: [host('b'), host('a')], gets: ['x a'] },
    { name: 'none of another size', hosts: [host('a', { size: 'small' })], gets: [] },
    { name: 'none of another failure domain', hosts: [host('a', { failureDomain: 'rack-2' })], gets: [] },
    { name: 'none without a failure domain, if it asks for one', hosts: [withoutDomain('a')], gets: [] },
    {
      name: 'any failure domain, if it asks for none',
      asks: { failureDomain: null },
      hosts: [host('a')],
      gets: ['x a'],
    },
    { name: 'none of another region', hosts: [host('a', { region: 'us-east' })], gets: [] },
    { name: 'one that names no region', hosts: [host('a')], gets: ['x a'] },
    { name: 'none with a smaller disk', hosts: [host('a', { rootDiskGiB: 20 })], gets: [] },
    { name: 'one with a larger disk', hosts: [host('a', { rootDiskGiB: 80 })], gets: ['x a'] },
    ...DATA_DISKS.map(({ has, gets }) => ({
      name: `${gets.length === 0 ? 'none' : 'one'} with other disks of ${has.join(' and ')} GiB for 100 and 200`,
      hosts: [host('a', { dataDisksGiB: has })],
      asks: { dataDisks: [100, 200].map((sizeGiB) => ({ name: `d${sizeGiB}`, sizeGiB, encrypted: true })) },
      gets,
    })),
    { name: 'none that its last machine left as it was', hosts: [host('a', {}, { released: 1 })], gets: [] },
    { name: 'one that was prepared again', hosts: [host('a', { prepared: 2 }, { released: 1 })], gets: ['x a'] },
  ])('$name', ({ hosts, asks = {}, gets }) => {
    const { failureDomain, ...rest } = asks as JsonObject;
    const own = failureDomain === null ? withoutAsked(claim('x', { asks: rest })) : claim('x', { asks: rest });
    expect(held(hostWrites({ hosts, claims: [own] }, NOW))).toEqual(gets);
  });

  test('the host that somebody named before', () => {
    const named = claim('x');
    const claims = [{ ...named, metadata: { ...named.metadata, annotations: { [CROSSPLANE.externalName]: 'b' } } }];
    expect(held(hostWrites({ hosts: [host('a'), host('b')], claims }, NOW))).toEqual(['x b']);
  });
});

test.for([
  { name: 'another claim has', own: host('a'), others: [claim('has', { host: 'a' })] },
  { name: 'was not prepared again', own: host('a', {}, { phase: 'Released', claim: 'x', released: 1 }), others: [] },
])('naming a host does not give one that $name', ({ own, others }) => {
  const named = claim('y', { host: 'a', created: '2025-01-01T00:00:00Z' });
  const { finalizers: _none, ...metadata } = named.metadata ?? {};
  for (const deletionTimestamp of [undefined, DELETED]) {
    const marked = deletionTimestamp === undefined ? metadata : { ...metadata, deletionTimestamp };
    const writes = hostWrites({ hosts: [own], claims: [{ ...named, metadata: marked }, ...others] }, NOW);
    expect(held(writes)).toEqual([]);
    expect(reported(writes, 'a')?.status?.['claim'] ?? 'x', 'the record is of the claim that has it').not.toBe('y');
    if (deletionTimestamp !== undefined) continue;
    expect(conditionOf(reported(writes, 'y'), 'Ready')?.message).toBe('Host "a" is taken, or not prepared again');
  }
});

test('no host is given twice, and who asked first is served first', () => {
  const claims = [claim('young', { created: '2026-01-01T00:00:05Z' }), claim('old'), claim('has', { host: 'a' })];
  const writes = hostWrites({ hosts: [host('a'), host('b')], claims }, NOW);
  expect(held(writes)).toEqual(['old b']);
  const without = conditionOf(reported(writes, 'young'), 'Ready');
  expect(without).toMatchObject({ status: 'False', reason: 'NoHost' });
});

describe('a claim without a host says what keeps it from one, and nothing that does not', () => {
  const gone = host('gone');
  const going = { ...gone, metadata: { ...gone.metadata, deletionTimestamp: DELETED } };
  const used = host('used', {}, { released: 1 });
  test.for([
    { hosts: [], says: 'there are no Hosts in namespace team-a, where their owner writes them' },
    { hosts: [host('a', { size: 'small' })], says: 'there is no such Host' },
    { hosts: [host('a'), host('b')], claims: ['a', 'b'], says: '2 taken' },
    { hosts: [host('a'), used], claims: ['a'], says: '1 taken, 1 not prepared again' },
    { hosts: [going, used], says: '1 being deleted, 1 not prepared again' },
  ])('$says', ({ hosts, claims = [], says }) => {
    const others = claims.map((name) => claim(`of-${name}`, { host: name }));
    const ready = conditionOf(reported(hostWrites({ hosts, claims: [...others, claim('x')] }, NOW), 'x'), 'Ready');
    expect(ready?.message).toBe(`no free Host of size large with 40 GiB in rack-1 of eu-west: ${says}`);
  });
});

test('a claim that has a host reports it, and says so until the host is gone', () => {
  const claims = [claim('x', { host: 'a' })];
  const seen = reported(hostWrites({ hosts: [host('a')], claims }, NOW), 'x');
  expect(conditionOf(seen, 'Ready')?.status).toBe('True');
  expect(seen?.status?.['atProvider']).toMatchObject({ host: 'a', failureDomain: 'rack-1' });
  const gone = hostWrites({ hosts: [host('b')], claims: [{ ...claims[0]!, ...seen }] }, NOW);
  expect(held(gone), 'its machine is on that host, so no other one is given').toEqual([]);
  expect(conditionOf(reported(gone, 'x'), 'Ready')).toMatchObject({ status: 'False', reason: 'HostGone' });
  expect(reported(gone, 'x')?.status?.['atProvider']).toMatchObject({ host: 'a' });
});

test('a claim that is deleted first leaves the record on its host, and then its finalizer goes', () => {
  const writes = hostWrites(
    { hosts: [host('a', { prepared: 3 })], claims: [claim('x', { host: 'a', deleted: true })] },
    NOW,
  );
  expect(shown(writes)).toEqual(['Status a', 'Release x']);
  expect(reported(writes, 'a')?.status).toEqual({ phase: 'Released', claim: 'x', released: 3 });
});

test('a host whose claim vanished is not free: its machine may still run', () => {
  const bound = host('a', { prepared: 2 }, { phase: 'Bound', claim: 'x', released: 1 });
  const writes = hostWrites({ hosts: [bound], claims: [claim('y')] }, NOW);
  expect(held(writes)).toEqual([]);
  expect(reported(writes, 'a')?.status).toEqual({ phase: 'Released', claim: 'x', released: 2 });
});

describe('a host that is deleted and written again', () => {
  test('stays with the claim that has it, and is released with it', () => {
    const [own, other] = [claim('x', { host: 'a', created: '2026-01-02T00:00:00Z' }), claim('y')];
    const writes = hostWrites({ hosts: [host('a')], claims: [own, other] }, NOW);
    expect(held(writes)).toEqual([]);
    expect(reported(writes, 'a')?.status).toEqual({ phase: 'Bound', claim: 'x' });
    const after = hostWrites({ hosts: [host('a')], claims: [claim('x', { host: 'a', deleted: true }), other] }, NOW);
    expect(held(after)).toEqual([]);
    expect(reported(after, 'a')?.status).toEqual({ phase: 'Released', claim: 'x', released: 1 });
  });

  test('after its machine, counts as prepared, unless its owner says that it is not', () => {
    const asked = (prepared: JsonObject) => hostWrites({ hosts: [host('a', prepared)], claims: [claim('y')] }, NOW);
    expect(held(asked({}))).toEqual(['y a']);
    expect(held(asked({ prepared: 0 }))).toEqual([]);
    expect(reported(asked({ prepared: 0 }), 'a')?.status).toEqual({ phase: 'Released' });
    expect(held(asked({ prepared: 1 }))).toEqual(['y a']);
  });
});

test('a claim without a host, or whose host is gone, does not wait to be deleted', () => {
  const claims = [claim('x', { host: 'gone', deleted: true })];
  expect(shown(hostWrites({ hosts: [], claims }, NOW))).toEqual(['Release x']);
  expect(hostWrites({ hosts: [], claims: [claim('y', { deleted: true })] }, NOW)).toEqual([]);
});

test.for([
  { name: 'free', own: host('a'), claims: [], phase: { phase: 'Available' } },
  { name: 'bound', own: host('a'), claims: [claim('x', { host: 'a' })], phase: { phase: 'Bound', claim: 'x' } },
  {
    name: 'left by its machine',
    own: host('a', {}, { released: 1, claim: 'x' }),
    claims: [],
    phase: { phase: 'Released', claim: 'x', released: 1 },
  },
  {
    name: 'prepared again',
    own: host('a', { prepared: 2 }, { released: 1, claim: 'x' }),
    claims: [],
    phase: { phase: 'Available', released: 1 },
  },
])('a host that is $name says so, and only its status is written', ({ own, claims, phase }) => {
  const seen = reported(hostWrites({ hosts: [own], claims }, NOW), 'a');
  expect(seen?.status).toEqual(phase);
  expect({ ...seen, status: {} }).toEqual({ ...own, status: {} });
});

test('what is written once is not written again', () => {
  const first = hostWrites({ hosts: [host('a')], claims: [claim('x', { host: 'a' })] }, NOW);
  const objects = first.flatMap((one) => (one.write === 'Status' ? [one.object] : []));
  const [hosts, claims] = ['Host', 'HostClaim'].map((kind) => objects.filter((one) => one.kind === kind));
  expect(hostWrites({ hosts: hosts ?? [], claims: claims ?? [] }, NOW + 60_000)).toEqual([]);
});

function withoutDomain(name: string): KubeObject {
  const { failureDomain: _none, ...spec } = host(name).spec ?? {};
  return { ...host(name), spec };
}

function withoutAsked(object: KubeObject): KubeObject {
  const { failureDomain: _none, ...forProvider } = (object.spec?.['forProvider'] ?? {}) as JsonObject;
  return { ...object, spec: { forProvider } };
}
