/** What `slipway validate` and `slipway plan` say of claims whose parts do not fit each other. */
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { UNREACHABLE } from '#lib/cloud/api-clients.ts';
import { EMPTY_WORLD as world } from '../plan/empty-world.fixture.ts';
import { planClaims, planWithNotes } from '../plan/plan-claims.ts';
import { judge, lineOf, linesOf } from './findings.ts';

const flavour = (name: string): JsonObject => ({
  compositionSelector: { matchLabels: { 'slipway.dev/flavor': name } },
});
const claim = (kind: string, name: string, spec: JsonObject, namespace: string | null = 'team-b'): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, ...(namespace === null ? {} : { namespace }) },
  spec: Object.fromEntries(
    Object.entries({ crossplane: flavour('aws'), ...spec }).filter(([, value]) => value !== null),
  ),
});
const REACHED: JsonObject = { allowedCIDRs: ['203.0.113.0/24'] };
const CLUSTER: JsonObject = {
  version: 'v1.35.4',
  region: 'eu-west',
  controlPlane: { replicas: 1, machine: { class: 'standard-2' }, ...REACHED },
  bootstrap: { provider: 'kubeadm' },
  provisioning: { format: 'cloud-init' },
};
const shop = (spec: JsonObject = {}, namespace?: string): KubeObject =>
  claim('Cluster', 'shop', { ...CLUSTER, ...spec }, namespace);
const pool = (spec: JsonObject = {}): KubeObject =>
  claim('NodePool', 'general', {
    clusterRef: { name: 'shop' },
    replicas: 2,
    machine: { class: 'standard-2' },
    ...spec,
  });

const validated = async (...claims: readonly KubeObject[]): Promise<readonly string[]> => {
  const { refused, notes } = await judge(world, claims);
  return [...refused.map(lineOf), ...notes];
};
/** What is refused and what blocks, in the plan of claims that do not exist yet. */
const planned = async (...claims: readonly KubeObject[]): Promise<readonly string[]> =>
  (await planClaims(world, claims))
    .filter(({ kind, blockedBy }) => (kind === 'Cluster' || kind === 'NodePool') && blockedBy !== undefined)
    .map(({ kind, decision, field, reason, blockedBy }) =>
      decision === 'Refused' ? `${kind} ${field}: ${reason}` : `${kind}: ${blockedBy}`,
    );

const NOT_JUDGED = 'the image, version and first boot of NodePool "team-b/general" were not judged: ';

test('a Cluster and a pool that fit each other are accepted, without a note', async () => {
  expect(await validated(shop(), pool())).toEqual([]);
  expect(await planned(shop(), pool())).toEqual([]);
});

test('a Cluster whose API nobody reaches is accepted with a note, as describe says it', async () => {
  const { controlPlane: _reached, ...rest } = CLUSTER;
  const closed = shop({ ...rest, controlPlane: { replicas: 1, machine: { class: 'standard-2' } } });
  const note = `Cluster "team-b/shop": ${UNREACHABLE}`;
  expect(await validated(closed, pool())).toEqual([note]);
  const called: string[] = [];
  const functions: typeof world.functions = (name) => {
    called.push(name);
    return world.functions(name);
  };
  const calls = (): number => called.splice(0).filter((name) => name === 'slipway-function-cluster').length;
  await judge({ ...world, functions }, [closed, pool()]);
  const once = calls();
  expect((await planWithNotes({ ...world, functions }, [closed, pool()])).notes).toEqual([note]);
  expect(calls(), 'the note is of the run that the plan is made of').toBe(once);
  expect((await planWithNotes(world, [shop(), pool()])).notes).toEqual([]);
  expect(await planned(closed, pool())).toEqual([]);
});

test('a pool on another cloud than its Cluster is refused for that', async () => {
  const why =
    'spec.crossplane: its Cluster is on aws, but the Composition chosen creates machines on gcp; accepted: a Composition with the label slipway.dev/flavor: aws';
  const there = pool({ crossplane: flavour('gcp') });
  expect(await validated(shop(), there)).toEqual([`cannot accept NodePool "team-b/general": ${why}`]);
  expect(await planned(shop(), there)).toEqual([`NodePool ${why}`]);
});

describe('a claim that does not say which of several Compositions', () => {
  const why =
    'spec.crossplane.compositionSelector: is missing, and 4 Compositions fit, of which Crossplane takes any; accepted: matchLabels slipway.dev/flavor: aws, azure, existing, gcp';

  it.for([
    { name: 'a pool', claims: [shop(), pool({ crossplane: null })], who: 'NodePool "team-b/general"' },
    { name: 'a Cluster', claims: [shop({ crossplane: null })], who: 'Cluster "team-b/shop"' },
    {
      name: 'a selector without labels',
      claims: [shop({ crossplane: { compositionSelector: { matchLabels: {} } } })],
      who: 'Cluster "team-b/shop"',
    },
  ])('is refused: $name', async ({ claims, who }) => {
    expect(await validated(...claims)).toEqual([`cannot accept ${who}: ${why}`]);
    expect(await planned(...claims)).toEqual([`${who.split(' ')[0]} ${why}`]);
  });

  it('is accepted with the Composition it has, or if only one fits', async () => {
    const crossplane = { compositionRef: { name: 'clusters.aws.slipway.dev' } };
    expect(await validated(shop({ crossplane }))).toEqual([]);
    const aws = world.compositions.filter(({ metadata }) => metadata?.labels?.['slipway.dev/flavor'] === 'aws');
    const { refused } = await judge({ ...world, compositions: aws }, [shop({ crossplane: null })]);
    expect(refused).toEqual([]);
  });
});

test.for([
  {
    name: 'of another kind',
    composition: 'nodepools.aws.slipway.dev',
    cause: 'Composition nodepools.aws.slipway.dev is for NodePool; accepted: clusters.aws.slipway.dev; ',
  },
  {
    name: 'with a typing error',
    composition: 'clusters.asw.slipway.dev',
    cause:
      /there is no Composition named clusters.asw.slipway.dev for its kind; .*; did you mean "clusters.aws.slipway.dev"\?$/,
  },
])('a Composition that is named $name is refused with the names of those that fit', async ({ composition, cause }) => {
  const [line = ''] = await validated(shop({ crossplane: { compositionRef: { name: composition } } }));
  expect(line).toMatch(cause);
  expect(line).not.toContain('slipway.dev/flavor=');
});

test.for([
  { flavor: 'asw', ends: '; did you mean "slipway.dev/flavor=aws"?' },
  { flavor: 'Azure', ends: '; did you mean "slipway.dev/flavor=azure"?' },
  { flavor: 'shop', ends: 'slipway.dev/flavor=gcp; or yours, with --compositions FOLDER' },
])('a flavor that no Composition has is guessed by its own name: $flavor', async ({ flavor, ends }) => {
  const crossplane = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': flavor } } };
  const [line = ''] = await validated(shop({ crossplane }));
  expect(line.slice(-ends.length)).toBe(ends);
});

test('a status in a file is ignored, and a note says so', async () => {
  const { notes } = await judge(world, [{ ...shop(), status: { phase: 'Running' } }]);
  expect(notes).toContain('the status of Cluster "team-b/shop" is ignored: only functions write it');
});

test('unknown fields and wrong values are said in one round, and a field that was meant by an unknown one is not missed', async () => {
  const wrong = { replcas: 3, paused: 'no', health: { nodeStartupTimeout: 600 }, machin: {}, machine: undefined };
  const { refused } = await judge(world, [shop(), pool(wrong)]);
  expect(refused.map(({ field }) => field).toSorted()).toEqual([
    'spec.health.nodeStartupTimeout',
    'spec.machin',
    'spec.paused',
    'spec.replcas',
  ]);
  expect(refused.map(({ reason }) => reason).join(' ')).toContain('did you mean "600s"?');
});

test('a namespace that is missing is said beside an unknown field, unless that was meant by it', async () => {
  const bare = (spec: JsonObject, metadata: JsonObject = {}): KubeObject => {
    const one = pool(spec);
    return { ...one, metadata: { name: 'general', ...metadata } };
  };
  const fieldsOf = async (claim: KubeObject) => (await judge(world, [shop(), claim])).refused.map(({ field }) => field);
  expect(await fieldsOf(bare({ replcas: 3 }))).toEqual(['spec.replcas', 'metadata.namespace']);
  expect(await fieldsOf(bare({}, { namespce: 'team-b' }))).toEqual(['metadata.namespce']);
});

describe('a pool whose Cluster is in no file', () => {
  it.for([
    { name: 'with one of nearly that name', clusters: [shop()], hint: '; did you mean "shop"?', ref: 'shpo' },
    {
      name: 'with only one beside it',
      clusters: [shop()],
      hint: '; did you mean "shop", the only Cluster beside it?',
      ref: 'store',
    },
    {
      name: 'with several, none of nearly that name',
      clusters: [shop(), claim('Cluster', 'bank', CLUSTER)],
      hint: '',
      ref: 'store',
    },
    { name: 'without any', clusters: [], hint: '', ref: 'shop' },
  ])('is accepted, and the note says so: $name', async ({ clusters, ref, hint }) => {
    const alone = pool({ clusterRef: { name: ref } });
    const absent = `its Cluster "team-b/${ref}" is in no file${hint}`;
    expect(await validated(...clusters, alone)).toEqual([`${NOT_JUDGED}${absent}`]);
    expect(await planned(...clusters, alone)).toEqual([`NodePool: ${absent}`]);
  });
});

test('a pool whose Cluster is in another namespace of the files is refused, and nothing waits for it unsaid', async () => {
  const why =
    'its Cluster "team-b/shop" is in no file; there is one in namespace team-c, but a pool is in that of its Cluster';
  expect(await validated(shop({}, 'team-c'), pool())).toEqual([
    `cannot accept NodePool "team-b/general": metadata.namespace: ${why}`,
  ]);
  expect(await planned(shop({}, 'team-c'), pool())).toEqual([`NodePool: ${why}`]);
});

test('a Cluster without a namespace is refused, and the note on its pool says that there is one', async () => {
  const bare = claim('Cluster', 'shop', CLUSTER, null);
  const needed =
    'metadata.namespace: is required; accepted: a namespace, here or with --namespace NAME, since only kubectl knows that of its context';
  const absent =
    'its Cluster "team-b/shop" is in no file; there is one without metadata.namespace, but a pool is in the namespace of its Cluster';
  expect(await validated(bare, pool())).toEqual([`cannot accept Cluster "shop": ${needed}`, `${NOT_JUDGED}${absent}`]);
  expect(await planned(bare, pool())).toEqual([`Cluster ${needed}`, `NodePool: ${absent}`]);
});

describe('what provider-node reads is judged beside the claims', () => {
  const host = (spec: JsonObject, metadata: JsonObject = { namespace: 'team-b' }): KubeObject => ({
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'Host',
    metadata: { name: 'rack-1', ...metadata },
    spec: { size: 'standard-2', failureDomain: 'rack-1', ...spec },
  });
  const named = {
    kind: 'ClusterProviderConfig',
    metadata: { name: 'all' },
    spec: { credentials: { source: 'Secret', secretRef: { namespace: 'team-b', name: 'a', key: 'b' } } },
  };
  const of = async (...objects: readonly KubeObject[]) => judge({ ...world, objects }, [shop()]);

  it.for([
    { name: 'a Host', object: host({}), says: [] },
    {
      name: 'a Host without a namespace',
      object: host({}, {}),
      says: [
        'cannot accept Host "rack-1": metadata.namespace: is required; accepted: a namespace, here or with --namespace NAME, since only kubectl knows that of its context',
      ],
    },
    {
      name: 'a Host with a typing error',
      object: host({ sise: 'standard-4' }),
      says: [expect.stringMatching(/^cannot accept Host "team-b\/rack-1": spec\.sise: unknown field; .*"size"\?$/)],
    },
    {
      name: 'a Host without a namespace, with a typing error',
      object: host({ sise: 'standard-4' }, {}),
      says: [
        expect.stringMatching(/^cannot accept Host "rack-1": spec\.sise: unknown field; /),
        expect.stringMatching(/^cannot accept Host "rack-1": metadata\.namespace: is required; /),
      ],
    },
    {
      name: 'a Host whose size is a number',
      object: host({ size: 16 }),
      says: ['cannot accept Host "team-b/rack-1": spec.size: 16 is not accepted; accepted: a string in quotes: "16"'],
    },
    {
      name: 'a kind without its spec',
      object: { apiVersion: host({}).apiVersion, kind: named.kind, metadata: named.metadata },
      says: [
        'cannot accept ClusterProviderConfig "all": spec: is required; accepted: an object such as {credentials: {secretRef: {namespace: <namespace>, name: <name>}}}',
      ],
    },
    {
      name: 'a kind whose spec is empty',
      object: { apiVersion: host({}).apiVersion, ...named, spec: {} },
      says: [expect.stringMatching(/: spec\.credentials: is required; accepted: an object such as \{secretRef: /)],
    },
    { name: 'a kind without namespaces', object: { ...host({}), ...named }, says: [] },
  ])('$name', async ({ object, says }) => {
    const { refused, claims, others } = await of(object);
    expect(refused.map(lineOf)).toEqual(says);
    expect({ claims, others }).toEqual({ claims: 1, others: 1 });
  });
});

test('what is refused and is no claim is not counted as one', async () => {
  const config = (kind: string, apiVersion = 'apiextensions.crossplane.io/v1beta1'): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name: 'slipway-aws' },
  });
  const counts = async (...objects: readonly KubeObject[]) => {
    const { claims, others } = await judge({ ...world, objects }, [shop()]);
    return { claims, others };
  };
  expect(await counts(config('EnvironmentConfig'))).toEqual({ claims: 1, others: 0 });
  expect(await counts(config('EnvironmntConfig'))).toEqual({ claims: 1, others: 1 });
  expect(await counts(config('EnvironmentConfig', 'apiextensions.crosplane.io/v1'))).toEqual({ claims: 1, others: 1 });
  expect(await counts(config('Clutser', 'slipway.dev/v1alpha1'), config('Composition', 'slipway.dve/v1'))).toEqual({
    claims: 3,
    others: 0,
  });
});

test.for([
  { by: 'the API', spec: { version: '1.35' }, field: 'spec.version' },
  { by: 'a function', spec: { region: 'atlantis' }, field: 'spec.region' },
  { by: 'a function', spec: { provisioning: { format: 'talos' } }, field: 'spec.provisioning.format' },
])('a Cluster that $by refuses is refused alone, and its pool has one short line: $field', async ({ spec, field }) => {
  const [first, ...rest] = await validated(pool(), shop(spec));
  expect(first).toContain(`cannot accept Cluster "team-b/shop": ${field}: `);
  expect(rest).toEqual([`${NOT_JUDGED}its Cluster "team-b/shop" is refused`]);
  const [line, ...others] = await planned(pool(), shop(spec));
  expect(line).toContain(`Cluster ${field}: `);
  expect(others).toEqual(['NodePool: its Cluster "team-b/shop" is refused']);
});

describe('what is said of several claims', () => {
  const named = (name: string, spec: JsonObject = {}): KubeObject => {
    const one = pool(spec);
    return { ...one, metadata: { ...one.metadata, name } };
  };

  it('is one line for each reason, which names three', async () => {
    const wrong = ['a', 'b', 'c', 'd'].map((name) => named(name, { replicas: -1 }));
    const other = named('e', { machine: { class: 'standard-2', zoness: [] } });
    const lines = linesOf((await judge(world, [shop(), ...wrong, other])).refused).map(({ line }) => line);
    expect(lines).toEqual([
      expect.stringMatching(
        /^cannot accept NodePool "team-b\/a", "team-b\/b", "team-b\/c" and 1 more: spec\.replicas: /,
      ),
      expect.stringMatching(/^cannot accept NodePool "team-b\/e": spec\.machine\.zoness: /),
    ]);
  });

  it('is one note for pools of a Cluster that is refused', async () => {
    const pools = ['a', 'b'].map((name) => named(name));
    const { notes } = await judge(world, [shop({ region: 'atlantis' }), ...pools]);
    expect(notes).toEqual([
      'the image, version and first boot of NodePool "team-b/a", "team-b/b" were not judged: its Cluster "team-b/shop" is refused',
    ]);
  });
});

test('a claim that the function of others names itself is named once', () => {
  const reason = 'cannot run step "bootstrap" of …: cannot accept Cluster "team-b/shop": spec.bootstrap: why';
  const found = { kind: 'Cluster', namespace: 'team-b', field: '', reason, refusedBy: 'step bootstrap' };
  expect(lineOf({ ...found, name: 'shop' })).toBe(reason);
  expect(lineOf({ ...found, name: 'other' })).toBe(`cannot accept Cluster "team-b/other": ${reason}`);
});
