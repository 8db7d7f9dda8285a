import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateManaged } from '../../../test/support/crds.ts';
import { SlipwayError } from '../errors.ts';
import type { JsonObject, KubeObject } from '../json.ts';
import { describeObject } from '../names.ts';
import { parseAs } from '../parse.ts';
import { acceptedAt, schemasAt } from '../schema/path.ts';
import { claimLeaves } from '../support/judge.ts';
import { Cluster } from './cluster.ts';
import { Machine } from './machine.ts';
import { NodePool } from './node-pool.ts';

const KINDS = { Cluster, NodePool, Machine } as const;
type Kind = keyof typeof KINDS;

const GOOD: Readonly<Record<Kind, JsonObject>> = {
  Cluster: { version: 'v1.35.4', region: 'eu-west', controlPlane: { machine: { class: 'standard-2' } } },
  NodePool: { clusterRef: { name: 'prod' }, machine: { class: 'standard-4' } },
  Machine: {
    clusterRef: { name: 'prod' },
    version: 'v1.35.4',
    machine: { class: 'a' },
    bootstrap: { provider: 'kubeadm' },
  },
};

const claim = (kind: Kind, spec: JsonObject): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name: 'prod', namespace: 'team-a' },
  spec: { ...GOOD[kind], ...spec },
});
const controlPlane = (fields: JsonObject): JsonObject => ({
  controlPlane: { machine: { class: 'standard-2' }, ...fields },
});
const file = (fields: JsonObject): JsonObject => ({
  provisioning: { files: [{ path: '/etc/x', content: '', ...fields }] },
});
const update = (fields: JsonObject): JsonObject => ({ update: fields });

const BAD: readonly {
  readonly name: string;
  readonly kind: Kind;
  readonly spec: JsonObject;
  readonly gone?: string;
}[] = [
  { name: 'a typo', kind: 'Cluster', spec: { regoin: 'eu-west' } },
  { name: 'a typo in a nested field', kind: 'Cluster', spec: controlPlane({ machine: { clas: 'standard-2' } }) },
  { name: 'a required field left out', kind: 'Cluster', spec: {}, gone: 'version' },
  { name: 'a version without the leading v', kind: 'Cluster', spec: { version: '1.35.4' } },
  { name: 'an invalid block', kind: 'Cluster', spec: { network: { pods: '10.244.0.0' } } },
  { name: 'a block with host bits', kind: 'Cluster', spec: { network: { nodes: '10.0.0.1/16' } } },
  { name: 'blocks that overlap', kind: 'Cluster', spec: { network: { pods: '10.96.0.0/16' } } },
  { name: 'blocks that overlap with a default', kind: 'Cluster', spec: { network: { nodes: '10.0.0.0/8' } } },
  { name: 'a domain in capital letters', kind: 'Cluster', spec: { network: { dnsDomain: 'Cluster.Local' } } },
  { name: 'an even number of control-plane machines', kind: 'Cluster', spec: controlPlane({ replicas: 2 }) },
  { name: 'no control-plane machine', kind: 'Cluster', spec: controlPlane({ replicas: 0 }) },
  { name: 'too many control-plane machines', kind: 'Cluster', spec: controlPlane({ replicas: 11 }) },
  { name: 'a number in quotes', kind: 'Cluster', spec: controlPlane({ replicas: '3' }) },
  { name: 'a word that is not one of the accepted ones', kind: 'Cluster', spec: controlPlane({ scheme: 'public' }) },
  {
    name: 'an API on the internet without a word about who may reach it',
    kind: 'Cluster',
    spec: controlPlane({ scheme: 'internet-facing' }),
  },
  { name: 'an invalid port', kind: 'Cluster', spec: controlPlane({ endpoint: { host: 'api', port: 70_000 } }) },
  { name: 'no address may reach the API', kind: 'Cluster', spec: controlPlane({ allowedCIDRs: [] }) },
  {
    name: 'spot machines as a control plane',
    kind: 'Cluster',
    spec: controlPlane({ machine: { class: 'standard-2', capacityType: 'spot' } }),
  },
  {
    name: 'spot machines in the pool of a control plane',
    kind: 'NodePool',
    spec: { role: 'control-plane', machine: { class: 'standard-2', capacityType: 'spot' } },
  },
  { name: 'a capacity type of one cloud', kind: 'NodePool', spec: { machine: { class: 'a', capacityType: 'Spot' } } },
  {
    name: 'a data disk with a name that no cloud accepts',
    kind: 'NodePool',
    spec: { machine: { class: 'a', dataDisks: [{ name: '/dev/sdf', sizeGiB: 8 }] } },
  },
  { name: 'no size at all', kind: 'NodePool', spec: { machine: {} } },
  { name: 'two sizes', kind: 'NodePool', spec: { machine: { class: 'a', instanceType: 'b' } } },
  { name: 'a disk that is too small', kind: 'NodePool', spec: { machine: { class: 'a', rootDisk: { sizeGiB: 1 } } } },
  { name: 'a negative number of machines', kind: 'NodePool', spec: { replicas: -1 } },
  { name: 'no room to roll out', kind: 'NodePool', spec: update({ maxSurge: 0, maxUnavailable: '0%' }) },
  { name: 'an invalid budget', kind: 'NodePool', spec: update({ maxSurge: 'one' }) },
  { name: 'a strategy of another kind', kind: 'NodePool', spec: update({ strategy: 'Recreate' }) },
  { name: 'a time without a unit', kind: 'NodePool', spec: update({ drain: { timeout: '600' } }) },
  { name: 'an invalid name in a reference', kind: 'NodePool', spec: { clusterRef: { name: 'Prod' } } },
  { name: 'an unknown taint effect', kind: 'NodePool', spec: { taints: [{ key: 'a', effect: 'NoRun' }] } },
  { name: 'a label that is too long', kind: 'NodePool', spec: { labels: { a: 'x'.repeat(64) } } },
  { name: 'a file that is lost after the first boot', kind: 'NodePool', spec: file({ path: '/run/x' }) },
  { name: 'a file without a path', kind: 'NodePool', spec: file({ path: 'etc/x' }) },
  { name: 'a file mode in decimal', kind: 'NodePool', spec: file({ mode: '644' }) },
  { name: 'a list instead of a single value', kind: 'NodePool', spec: file({ content: ['line'] }) },
  { name: 'an unknown action', kind: 'Machine', spec: { bootstrap: { provider: 'kubeadm', action: 'Start' } } },
  { name: 'a version of a distribution', kind: 'Cluster', spec: { version: 'v1.35.4+rke2r1' } },
  { name: 'a version in a list', kind: 'Cluster', spec: { version: ['v1.35.4'] } },
  { name: 'a bootstrap provider in capitals', kind: 'Cluster', spec: { bootstrap: { provider: 'Kubeadm' } } },
  { name: 'an underscore in a name', kind: 'NodePool', spec: { clusterRef: { name: 'my_prod' } } },
  { name: 'an address for a block', kind: 'Cluster', spec: controlPlane({ allowedCIDRs: ['192.0.2.1'] }) },
  { name: 'an address with a prefix', kind: 'Cluster', spec: controlPlane({ allowedCIDRs: ['192.0.2.1/24'] }) },
  { name: 'everyone without a prefix', kind: 'Cluster', spec: controlPlane({ allowedCIDRs: ['0.0.0.0'] }) },
  { name: 'an address that may be any block', kind: 'Cluster', spec: controlPlane({ allowedCIDRs: ['192.0.2.0'] }) },
  { name: 'an IPv6 address', kind: 'Cluster', spec: controlPlane({ allowedCIDRs: ['2001:db8::1'] }) },
  { name: 'a network of one address', kind: 'Cluster', spec: { network: { pods: '10.0.0.1' } } },
  {
    name: 'blocks as Cluster API lists them',
    kind: 'Cluster',
    spec: { network: { pods: { cidrBlocks: ['10.9.0.0/16'] } } },
  },
  { name: 'a cluster by its name alone', kind: 'NodePool', spec: { clusterRef: 'prod' } },
  { name: 'a bootstrap provider alone', kind: 'Cluster', spec: { bootstrap: 'k3s' } },
  { name: 'a machine that is only a class', kind: 'NodePool', spec: { machine: 'standard-4' } },
  { name: 'no machine', kind: 'NodePool', spec: {}, gone: 'machine' },
  { name: 'a control plane that is a number', kind: 'Cluster', spec: { controlPlane: 3 } },
  { name: 'taints as kubectl takes them', kind: 'NodePool', spec: { taints: 'a=b:NoSchedule' } },
  { name: 'a taint as kubectl takes it', kind: 'NodePool', spec: { taints: ['a=b:NoSchedule'] } },
  { name: 'labels as a list', kind: 'NodePool', spec: { labels: ['a=b'] } },
  { name: 'add-ons by name', kind: 'Cluster', spec: { addons: { cilium: {} } } },
  { name: 'a package alone', kind: 'NodePool', spec: { provisioning: { packages: 'htop' } } },
  { name: 'a block alone', kind: 'Cluster', spec: controlPlane({ allowedCIDRs: '192.0.2.0/24' }) },
  { name: 'a size of a disk alone', kind: 'NodePool', spec: { machine: { class: 'a', rootDisk: 80 } } },
  { name: 'an endpoint in one text', kind: 'Cluster', spec: controlPlane({ endpoint: 'api.example.com' }) },
  {
    name: 'a spot machine by the word of another cloud',
    kind: 'NodePool',
    spec: { machine: { class: 'a', capacityType: 'preemptible' } },
  },
  { name: 'a pool of a control plane', kind: 'NodePool', spec: { role: 'master' } },
  { name: 'a path of Windows', kind: 'NodePool', spec: file({ path: 'C:\\app\\app.conf' }) },
  {
    name: 'a user of Windows',
    kind: 'NodePool',
    spec: { provisioning: { users: [{ name: 'Administrator' }], groups: [{ name: 'Administrators' }] } },
  },
  {
    name: 'a mirror that is no URL',
    kind: 'Cluster',
    spec: { provisioning: { registries: [{ host: 'docker.io', mirrors: ['mirror.example.com'] }] } },
  },
  { name: 'connection details of Crossplane v1', kind: 'Cluster', spec: { writeConnectionSecretToRef: { name: 'a' } } },
  {
    name: 'a reference with a kind',
    kind: 'NodePool',
    spec: { clusterRef: { name: 'prod', kind: 'Cluster', namespace: 'b' } },
  },
  {
    name: 'several faults at once',
    kind: 'Cluster',
    spec: { version: '1', region: '', paused: 'no', network: { pods: 'x' } },
  },
];

const document = ({ kind, spec, gone }: (typeof BAD)[number]): KubeObject => {
  const object = claim(kind, spec);
  const kept = Object.entries(object.spec ?? {}).filter(([field]) => field !== gone);
  return { ...object, spec: Object.fromEntries(kept) };
};

function lineOf(object: KubeObject): string {
  try {
    parseAs(KINDS[object.kind as Kind], object, describeObject(object));
    return 'accepted';
  } catch (thrown) {
    return SlipwayError.from(thrown).message;
  }
}

test.for(Object.keys(GOOD) as Kind[])('a plain %s is accepted by the schema and the API server', (kind) => {
  expect(lineOf(claim(kind, {}))).toBe('accepted');
  expect(validateManaged(claim(kind, {}))).toEqual([]);
});

test.for(BAD)('$name: refused with one line, and by the API server too', (bad) => {
  expect(lineOf(document(bad))).toMatch(/^cannot accept [A-Za-z]+ "team-a\/prod": spec[.\w[\]]*: [^\n]+$/);
  expect(validateManaged(document(bad))).not.toEqual([]);
});

const REFUSED =
  'cannot accept NodePool "team-a/prod-control-plane": metadata.name: "prod-control-plane" must not be <cluster>-control-plane: the Cluster gives that name to its control-plane pool';

test.for([
  { name: 'workers have another name', role: 'worker', said: REFUSED },
  { name: 'the control plane, as its Cluster creates it', role: 'control-plane', said: 'accepted' },
])('only one pool may be named <cluster>-control-plane, for the schema and the API server: $name', ({ role, said }) => {
  const pool = { ...claim('NodePool', { role }), metadata: { name: 'prod-control-plane', namespace: 'team-a' } };
  expect(lineOf(pool)).toBe(said);
  expect(validateManaged(pool).length === 0).toBe(said === 'accepted');
});

test('the API server refuses a claim of a second control-plane pool, however it is named', () => {
  expect(validateManaged(claim('NodePool', { role: 'control-plane' }))).toEqual([
    'spec.role must be worker: the Cluster creates its control-plane pool from its own spec.controlPlane, with the name <cluster>-control-plane',
  ]);
});

test('a Cluster without a region is told an example of one', () => {
  const { region: _region, ...spec } = claim('Cluster', {}).spec ?? {};
  expect(lineOf({ ...claim('Cluster', {}), spec })).toBe(
    'cannot accept Cluster "team-a/prod": spec.region: is required; accepted: a region that the Composition maps, such as eu-west, or the name of a region of the cloud',
  );
});

test.for(['Cluster', 'NodePool'] as const)('no text that a %s has to have is said to be a string alone', (kind) => {
  const schema = { Cluster, NodePool }[kind];
  const silent = claimLeaves(kind).flatMap(({ path }) => {
    const steps = path.replaceAll('[]', '.0').split('.');
    const here = schemasAt(schema, steps);
    const isNeeded =
      here.some((one) => one instanceof z.ZodString) && here.every((one) => !one.safeParse(undefined).success);
    return isNeeded && acceptedAt(schema, steps, undefined) === undefined ? [path] : [];
  });
  expect(silent).toEqual([]);
});

test('the messages match the golden file', async () => {
  const lines = BAD.flatMap((bad) => [`# ${bad.name}`, lineOf(document(bad)), '']);
  await expect(lines.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, 'golden/bad-claims.txt'));
});
