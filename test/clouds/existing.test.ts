/**
 * The example with hosts of somebody else, from claim to Ready and to its end: machines get hosts that fit, nothing of
 * their owner is changed or deleted, and first-boot data is in Secrets only.
 */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE, LABEL, NODE_API_VERSION, USAGE_API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { Sightings } from '../secrets/sightings.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { installedEngine } from '../support/example.ts';

const engine = installedEngine();
const sightings = new Sightings(engine);
const objects = readObjects([join(ROOT, 'examples/existing')]);

const list = (kind: string, apiVersion = NODE_API_VERSION): readonly KubeObject[] => engine.list({ apiVersion, kind });
const hosts = () => new Map(list('Host').map((host) => [host.metadata?.name ?? '', host]));
/** Who wrote what: the owner of hosts writes only how often a host was prepared. */
const told = (all: ReadonlyMap<string, KubeObject>) =>
  [...all].map(([name, { metadata, spec }]) => {
    const { prepared: _count, ...own } = spec ?? {};
    return { name, uid: metadata?.uid, labels: metadata?.labels, annotations: metadata?.annotations, own };
  });

let reached = false;
let before: ReadonlyMap<string, KubeObject> = new Map();
const claimed: KubeObject[] = [];

beforeAll(async () => {
  engine.subscribe((happening) => {
    if (happening.type !== 'object' || happening.ref.kind !== 'HostClaim') return;
    const object = engine.get(happening.ref);
    if (object !== undefined && !claimed.some(({ metadata }) => metadata?.name === object.metadata?.name))
      claimed.push(object);
  });
  for (const object of objects) engine.apply(object);
  before = hosts();
  ({ reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 }));
});

test('becomes Ready', () => {
  expect(reached).toBe(true);
  expect(list('HostClaim')).toHaveLength(8);
});

test('no node waits for a cloud controller manager, which nobody runs', () => {
  const payloads = engine
    .list({ apiVersion: 'v1', kind: 'Secret' })
    .filter(({ metadata }) => metadata?.name?.endsWith('-payload') === true);
  expect(payloads).toHaveLength(8);
  for (const secret of payloads)
    expect(Buffer.from(stringAt(secret, 'data', 'value') ?? '', 'base64').toString()).not.toContain('cloud-provider');
});

test('every machine has a host of its own, of its size and in its rack', () => {
  const names = list('HostClaim').map(({ metadata }) => metadata?.annotations?.[CROSSPLANE.externalName] ?? '');
  expect(new Set(names).size).toBe(8);
  for (const { metadata, spec } of list('HostClaim')) {
    const host = hosts().get(metadata?.annotations?.[CROSSPLANE.externalName] ?? '');
    for (const field of ['size', 'failureDomain'])
      expect(stringAt(host, 'spec', field)).toBe(stringAt(spec, 'forProvider', field));
    expect(host?.status).toMatchObject({ phase: 'Bound', claim: metadata?.name });
  }
});

test('a machine is known by the name of its host, and has its addresses', () => {
  for (const { metadata, status } of list('Machine', 'slipway.dev/v1alpha1')) {
    const host = hosts().get(stringAt(status, 'instanceID') ?? '');
    expect(host?.status?.['claim']).toBe(metadata?.name);
    expect(status?.['addresses']).toEqual(at(host, 'spec', 'addresses'));
  }
});

test('the owner learns which hosts the endpoint leads to', () => {
  const led = list('HostClaim').filter(({ metadata }) => metadata?.labels?.[LABEL.role] === 'control-plane');
  expect(led).toHaveLength(3);
  for (const { spec } of list('HostClaim')) {
    const targets = at(spec, 'forProvider', 'loadBalancerTargets');
    const isControlPlane = at(spec, 'forProvider', 'role') === 'control-plane';
    expect(targets).toEqual(isControlPlane ? [{ id: 'api.prod.example.com:6443', port: 6443 }] : []);
  }
});

test.skipIf(!crdsAvailable())('the API server accepts every claim of a host', () => {
  expect(claimed).toHaveLength(8);
  expect(claimed.flatMap(({ status: _status, ...object }) => validateManaged(object))).toEqual([]);
});

test('only Secrets contain a secret', () => {
  expect(sightings.leaks).toEqual([]);
});

test('nothing in the cloud of anybody is composed: claims of hosts are all there is', () => {
  const groups = new Set(list('Machine', 'slipway.dev/v1alpha1').flatMap(refsOf));
  expect([...groups].filter((kind) => !OURS.has(kind))).toEqual([]);
});

test('the whole cluster is deleted, and every host is still there as its owner wrote it, but for what it was left', async () => {
  const soon = () => ({ limitSeconds: engine.seconds + 7200 });
  const remove = (kind: string): void => {
    for (const { apiVersion, metadata } of objects.filter((object) => object.kind === kind))
      engine.delete({ apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
  };
  remove('NodePool');
  const workers = () =>
    [...list('Usage', USAGE_API_VERSION), ...list('WorkloadNode')].filter(
      ({ metadata }) => metadata?.labels?.[LABEL.role] === 'worker',
    );
  expect((await engine.runUntil(() => workers().length === 0, soon())).reached).toBe(true);
  const isLeft = () => list('HostClaim').length === 3;
  expect((await engine.runUntil(isLeft, soon())).reached).toBe(true);
  remove('Cluster');
  const isGone = () => list('HostClaim').length === 0 && list('Cluster', 'slipway.dev/v1alpha1').length === 0;
  expect((await engine.runUntil(isGone, soon())).reached).toBe(true);
  expect(told(hosts())).toEqual(told(before));
  expect(hosts().size).toBe(21);
});

const OURS = new Set(['HostClaim', 'Secret', 'Usage', 'WorkloadNode']);

function refsOf({ spec }: KubeObject): readonly string[] {
  const refs = at(spec, 'crossplane', 'resourceRefs');
  return (Array.isArray(refs) ? (refs as readonly KubeObject[]) : []).map(({ kind }) => kind);
}
