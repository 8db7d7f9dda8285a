/** A pool that was renamed in its file, and a Cluster that was moved to another namespace, are new ones beside the old ones. */
import { describe, expect, it, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { leftOutNotes } from './left-out.ts';
import type { Ref } from './world.ts';

const pool = (name: string, fields: { cluster?: string; namespace?: string; owned?: boolean } = {}): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'NodePool',
  metadata: {
    name,
    namespace: fields.namespace ?? 'team-x',
    ...(fields.owned === true ? { ownerReferences: [{ kind: 'Cluster', name: 'my', controller: true }] } : {}),
  },
  spec: { clusterRef: { name: fields.cluster ?? 'my' } },
});
const NOTE = 'NodePool "team-x/workers" stays as it is: it is in no file; plan --delete shows what goes with it';

const ref = (kind: string, name: string, namespace = 'team-x'): Ref => ({ kind, namespace, name });

test.for([
  { name: 'a new pool of the same Cluster', existing: [pool('workers')], files: [pool('general')], notes: [NOTE] },
  { name: 'the same pool', existing: [pool('workers')], files: [pool('workers')], notes: [] },
  {
    name: 'a new pool beside the old one',
    existing: [pool('workers')],
    files: [pool('workers'), pool('b')],
    notes: [],
  },
  {
    name: 'a new pool of another Cluster',
    existing: [pool('workers')],
    files: [pool('b', { cluster: 'y' })],
    notes: [],
  },
  {
    name: 'a new pool in another namespace',
    existing: [pool('workers')],
    files: [pool('b', { namespace: 'y' })],
    notes: [],
  },
  {
    name: 'a new pool beside that of a control plane',
    existing: [pool('workers', { owned: true })],
    files: [pool('b')],
    notes: [],
  },
])('what the files leave out is noted for $name only if it was perhaps renamed', ({ existing, files, notes }) => {
  expect(leftOutNotes({ objects: existing }, files, [])).toEqual(notes);
});

test('what the plan deletes is not left out', () => {
  expect(leftOutNotes({ objects: [pool('workers')] }, [pool('general')], [ref('NodePool', 'workers')])).toEqual([]);
  for (const other of [ref('Cluster', 'workers'), ref('NodePool', 'workers', 'team-y')])
    expect(leftOutNotes({ objects: [pool('workers')] }, [pool('general')], [other])).toEqual([NOTE]);
});

describe('a Cluster of the files', () => {
  const my: KubeObject = { ...pool('my'), kind: 'Cluster', spec: {} };
  const machine = (name: string, of: string): KubeObject => ({
    ...pool(name),
    kind: 'Machine',
    metadata: { name, namespace: 'team-x', labels: { [LABEL.nodePool]: of } },
  });

  it.for([
    {
      name: 'one pool',
      existing: [pool('workers'), machine('a', 'workers'), machine('b', 'workers'), machine('c', 'cp')],
      says: 'NodePool workers is in no file and stays; a GitOps tool that prunes would delete it, with 2 machines; plan --delete shows what goes with it',
    },
    {
      name: 'one of the cloud',
      existing: [pool('workers')],
      says: 'NodePool workers is in no file and stays; a GitOps tool that prunes would delete it; plan --delete shows what goes with it',
    },
    {
      name: 'several',
      existing: [pool('c'), pool('b'), pool('a'), machine('a-0', 'a')],
      says: 'NodePools a, b and 1 more are in no file and stay; a GitOps tool that prunes would delete them, with 1 machine; plan --delete shows what goes with them',
    },
  ])('has one note on its pools in no file, since a tool that prunes deletes them: $name', ({ existing, says }) => {
    expect(leftOutNotes({ objects: [my, ...existing] }, [my], [])).toEqual([`Cluster "team-x/my": ${says}`]);
  });

  it('has none on a pool that was perhaps renamed, which has its own', () => {
    expect(leftOutNotes({ objects: [my, pool('workers')] }, [my, pool('general')], [])).toEqual([NOTE]);
  });

  it.for([
    { name: 'that a file has', existing: [pool('workers')], files: [my, pool('workers')] },
    { name: 'of its control plane', existing: [pool('cp', { owned: true })], files: [my] },
    { name: 'of another Cluster', existing: [pool('workers', { cluster: 'y' })], files: [my] },
    { name: 'in another namespace', existing: [pool('workers', { namespace: 'y' })], files: [my] },
    { name: 'that the plan deletes', existing: [pool('workers')], files: [my], going: [ref('NodePool', 'workers')] },
    { name: 'whose Cluster is in no file either', existing: [pool('workers'), pool('b')], files: [pool('b')] },
  ])('has no note on a pool $name', ({ existing, files, going = [] }) => {
    expect(leftOutNotes({ objects: [my, ...existing] }, files, going)).toEqual([]);
  });
});

describe('a new Cluster', () => {
  const cluster = (name: string, namespace = 'team-x'): KubeObject => ({
    ...pool(name, { namespace }),
    kind: 'Cluster',
    spec: {},
  });
  const notesOf = (existing: readonly KubeObject[], files: readonly KubeObject[], going: readonly Ref[] = []) =>
    leftOutNotes({ objects: existing }, files, going);

  it('was perhaps renamed if another in its namespace is in no file', () => {
    expect(notesOf([cluster('old'), pool('workers', { cluster: 'old' })], [cluster('new')])).toEqual([
      'Cluster "team-x/new" is a new one beside old, which is in no file and stays: no Cluster can be renamed; plan --delete shows what goes with one',
    ]);
    expect(
      notesOf(
        ['c', 'b', 'a'].map((name) => cluster(name)),
        [cluster('new')],
      ),
    ).toEqual([
      'Cluster "team-x/new" is a new one beside a, b and 1 more, which are in no file and stay: no Cluster can be renamed; plan --delete shows what goes with one',
    ]);
  });

  it.for([
    { name: 'with the same spec and a new version', spec: { version: 'v1.36.0' }, isNoted: true },
    {
      name: 'with another region, version and provider',
      spec: { version: 'v1.36.0', region: 'us', bootstrap: { provider: 'k3s' } },
      isNoted: false,
    },
    {
      name: 'in other words for the choice of its Composition',
      spec: { crossplane: { compositionRef: { name: 'a' } } },
      isNoted: true,
    },
  ])('was perhaps another if it is like it: $name', ({ spec, isNoted }) => {
    const full = { version: 'v1.35.4', region: 'eu', bootstrap: { provider: 'kubeadm' } };
    const old = { ...cluster('old'), spec: { ...full, provisioning: { format: 'cloud-init' } } };
    expect(notesOf([old], [{ ...cluster('new'), spec: { ...full, ...spec } }])).toHaveLength(isNoted ? 1 : 0);
  });

  it.for([
    {
      name: 'the other is going',
      existing: [{ ...cluster('old'), metadata: { name: 'old', namespace: 'team-x', deletionTimestamp: 'now' } }],
      files: [cluster('new')],
    },
    { name: 'the other is in a file, too', existing: [cluster('old')], files: [cluster('old'), cluster('new')] },
    { name: 'the other is in another namespace', existing: [cluster('old', 'team-y')], files: [cluster('new')] },
    { name: 'it is the same', existing: [cluster('old')], files: [cluster('old')] },
    {
      name: 'the plan deletes the other',
      existing: [cluster('old')],
      files: [cluster('new')],
      going: [ref('Cluster', 'old')],
    },
  ])('has no note if $name', ({ existing, files, going }) => {
    expect(notesOf(existing, files, going)).toEqual([]);
  });
});

test('a Cluster whose name is in another namespace is a new one', () => {
  const cluster = (namespace: string): KubeObject => ({ ...pool('my', { namespace }), kind: 'Cluster', spec: {} });
  const objects = [cluster('team-x'), cluster('team-a')];
  expect(leftOutNotes({ objects }, [cluster('team-y')], [])).toEqual([
    'Cluster "team-y/my" is a new one: that of namespace team-a, and that of team-x stays as it is',
  ]);
  expect(leftOutNotes({ objects }, [cluster('team-x')], [])).toEqual([]);
});
