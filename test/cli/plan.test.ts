/** `slipway plan`: edits of the examples, on the state of a simulation. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Engine } from '#simulator/engine.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { PlanEntry, summaryOf, verdictOf } from '../../cli/plan/entry.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { printed } from '../../cli/plan/print.ts';
import type { PlanWorld } from '../../cli/plan/world.ts';
import { inProcess } from '../support/in-process.ts';
import { observedObjects, saveObjects } from '../../cli/simulate/save.ts';
import { type KubeApi, serveObjects } from '../support/kube-api.ts';
import { ROOT, slipway } from './slipway.ts';
import { EVERY_VERSION } from '../support/every-version.ts';
import { exampleEngine } from '../support/example.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
const before = join(folder, 'before.yaml');
let engine: Engine;
let world: PlanWorld;

beforeAll(async () => {
  engine = exampleEngine();
  await engine.runUntil(settled, { limitSeconds: 7200 });
  saveObjects(engine, before);
  world = {
    objects: [...observedObjects(engine), EVERY_VERSION],
    definitions: definitions(),
    compositions: compositions(),
    functions: inProcess,
    now: new Date('2026-01-01T01:00:00Z'),
  };
});

function settled(): boolean {
  const { ready, composites } = engine.snapshot();
  return ready && composites.every(({ composed }) => composed.length > 0);
}

/** An example with another spec: fields are replaced, and null removes one. */
function edited(kind: string, name: string, edit: JsonObject): KubeObject {
  const claim = readObjects([join(ROOT, 'examples/aws')]).find(
    (object) => object.kind === kind && object.metadata?.name === name,
  );
  const spec = Object.entries({ ...claim?.spec, ...edit }).filter(([, value]) => value !== null);
  return { ...claim!, spec: Object.fromEntries(spec) };
}
const cluster = (edit: JsonObject): KubeObject => edited('Cluster', 'prod', edit);
const general = (edit: JsonObject): KubeObject => edited('NodePool', 'prod-general', edit);
const memory = (edit: JsonObject): KubeObject => edited('NodePool', 'prod-memory', edit);
const controlPlane = (edit: JsonObject): JsonObject => ({
  controlPlane: {
    replicas: 3,
    machine: { class: 'standard-2' },
    scheme: 'internet-facing',
    allowedCIDRs: ['203.0.113.0/24'],
    ...edit,
  },
});

function file(name: string, ...objects: readonly KubeObject[]): string {
  const path = join(folder, name);
  writeFileSync(path, objects.map((object) => `---\n${stringify(object)}`).join(''));
  return path;
}

/** Fields that no cloud can change on an existing machine. */
const IMAGE = { class: 'standard-4', image: 'ami-0123456789abcdef0' };
/** The rule that decided is not part of this test, and changes with the rules. */
const steady = (text: string): string => text.replaceAll(/(rules\[|"rule": )\d+/g, '$1…');

const about = (entries: readonly PlanEntry[], name: RegExp): readonly (string | undefined)[][] =>
  entries
    .filter((entry) => name.test(entry.name))
    .map(({ field, decision, blockedBy }) => [field, decision, blockedBy]);
const verdict = (entries: readonly PlanEntry[]): string => verdictOf(summaryOf(entries));
const plain = (_tone: string, text: string): string => text;

test('an add-on is shown as what changes of it: version and values of its chart, a new one, and one that is taken out', async () => {
  const driver = {
    name: 'aws-ebs-csi-driver',
    chart: {
      repository: 'https://kubernetes-sigs.github.io/aws-ebs-csi-driver',
      name: 'aws-ebs-csi-driver',
      version: '2.64.1',
      values: { node: { tolerateAllTaints: false } },
    },
  };
  const shownFor = async (...addons: readonly JsonObject[]) =>
    (await planClaims(world, [cluster({ addons })])).map(({ name, field, old, new: value, decision }) =>
      [name, decision, field, old, value].filter((word) => word !== undefined && word !== '').join(' '),
    );
  expect(await shownFor(driver)).toEqual(
    expect.arrayContaining([
      'prod-addon-aws-ebs-csi-driver Patch spec.forProvider.chart.version "2.64.0" "2.64.1"',
      'prod-addon-aws-ebs-csi-driver Patch spec.forProvider.values.node.tolerateAllTaints true false',
    ]),
  );
  expect(await shownFor({ ...driver, name: 'another' })).toEqual(['prod-addon-another Create']);
  expect(await shownFor({ name: 'aws-ebs-csi-driver', default: 'Skip' })).toEqual([
    'prod-addon-aws-ebs-csi-driver Drop',
  ]);
});

describe('an edit of what chooses the Composition of something that exists', () => {
  const select = (flavor: string, name?: string): JsonObject => ({
    crossplane: {
      compositionSelector: { matchLabels: { 'slipway.dev/flavor': flavor } },
      ...(name === undefined ? {} : { compositionRef: { name } }),
    },
  });
  const keeps =
    'new machines would be on gcp, but the pool keeps the Composition that Crossplane chose first, which creates machines on aws; accepted: matchLabels slipway.dev/flavor: aws';

  const [POOLS, CLUSTERS] = ['nodepools.gcp.slipway.dev', 'clusters.gcp.slipway.dev'];
  const isOn = 'its Cluster is on aws, but the Composition chosen creates machines on gcp';
  const stays = 'the cluster is on aws, but the Composition chosen makes clusters on gcp';

  it.for([
    { edit: 'the selector of a pool', claim: general(select('gcp')), who: 'prod-general', said: keeps },
    { edit: 'the selector of a Cluster', claim: cluster(select('gcp')), who: 'prod-control-plane', said: keeps },
    { edit: 'the name, of a pool', claim: general(select('aws', POOLS)), who: 'prod-general', said: isOn },
    { edit: 'the name, of a Cluster', claim: cluster(select('aws', CLUSTERS)), who: 'prod', said: stays },
    { edit: 'both, of a pool', claim: general(select('gcp', POOLS)), who: 'prod-general', said: isOn },
    { edit: 'both, of a Cluster', claim: cluster(select('gcp', CLUSTERS)), who: 'prod', said: stays },
    {
      edit: 'the name, of a pool that is edited besides',
      claim: general({ ...select('aws', POOLS), replicas: 5, machine: IMAGE }),
      who: 'prod-general',
      said: isOn,
    },
  ])('is refused if it leads to another cloud: $edit', async ({ claim, who, said }) => {
    const entries = await planClaims(world, [claim]);
    const refused = entries.filter(({ decision }) => decision === 'Refused');
    expect(refused.map((entry) => entry.name)).toContain(who);
    expect(refused.map(({ reason }) => reason).join('\n')).toContain(said);
    expect(verdict(entries)).toBe('held');
    expect(summaryOf(entries)).toMatchObject({ resources: { created: 0, patched: 0, removed: 0 } });
  });

  it('is no change if it names the Composition that it has', async () => {
    const same = [
      cluster(select('aws', 'clusters.aws.slipway.dev')),
      general(select('aws', 'nodepools.aws.slipway.dev')),
    ];
    expect(await planClaims(world, same)).toEqual([]);
  });
});

describe('an edit that goes back or gets smaller says what becomes of machines', () => {
  const said = async (claim: KubeObject): Promise<string> => printed(await planClaims(world, [claim]), 'table', plain);

  it('a minor version back is held, also of pools that follow', async () => {
    const entries = await planClaims(world, [cluster({ version: 'v1.36.2' })]);
    expect(new Set(entries.map(({ decision }) => decision))).toEqual(new Set(['Hold']));
    const ofPools = entries.filter(({ pool }) => pool === 'prod-general' || pool === 'prod-memory');
    expect(ofPools).toHaveLength(5);
    expect(new Set(ofPools.map(({ reason }) => reason))).toEqual(new Set(['the control plane does not get v1.36.2']));
  });

  it.for([
    { of: 'before it has one', claims: () => [general({ version: 'v1.38.0' })], runs: 'v1.37.1' },
    {
      of: 'that gets another',
      claims: () => [cluster({ version: 'v1.37.2' }), general({ version: 'v1.38.0' })],
      runs: 'v1.37.2',
    },
  ])('a pool with a newer version of its own waits for its control plane, $of', async ({ claims, runs }) => {
    const entries = await planClaims(world, claims());
    expect(entries.filter(({ pool }) => pool === 'prod-general')).toEqual([
      expect.objectContaining({
        kind: 'NodePool',
        field: 'spec.version',
        decision: 'Hold',
        reason: `v1.38.0 waits until the control plane runs it; it runs ${runs}`,
        held: true,
      }),
    ]);
    expect(verdict(entries)).toBe('held');
  });

  it('a pool whose control plane gets its version does not wait for good', async () => {
    const entries = await planClaims(world, [cluster({ version: 'v1.38.0' }), general({ version: 'v1.38.0' })]);
    expect(entries.filter(({ decision }) => decision === 'Hold')).toEqual([]);
  });

  it('a smaller disk is one of new machines, since disks cannot shrink', async () => {
    const text = await said(general({ machine: { class: 'standard-4', rootDisk: { sizeGiB: 20 } } }));
    expect(text).toContain('no rule allows a change in place: a disk cannot shrink');
    expect(text).toContain('3 machines: a new one is created, the old one drained and deleted');
  });

  it('machines of a control plane leave etcd, those of a pool do not', async () => {
    expect(await said(cluster(controlPlane({ replicas: 1 })))).toContain(
      '2 machines: drained, taken out of etcd and deleted, one after another; local disks are lost; while the number is even, etcd survives no more losses than with one member less',
    );
    expect(await said(cluster(controlPlane({ replicas: 5 })))).toContain(
      '2 machines: created; only one joins etcd at a time, once all others are ready; while the number is even, etcd survives no more losses than with one member less',
    );
    expect(await said(general({ replicas: 1 }))).toContain(
      '2 machines: drained at the same time and deleted; local disks are lost',
    );
  });
});

test('of an edit of spec.version, the charts that are chosen by it follow the control plane', async () => {
  const older = { ...world, compositions: world.compositions.map(withOtherImage) };
  const entries = await planClaims(older, [cluster({ version: 'v1.36.2' })]);
  expect(entries.filter(({ kind }) => kind === 'Release')).toEqual([]);
  const later = await planClaims(older, [cluster({ version: 'v1.38.0' })]);
  expect(
    later
      .filter(({ kind }) => kind === 'Release')
      .map(({ name, decision, field, old, new: value, blockedBy }) => [name, decision, field, old, value, blockedBy]),
  ).toEqual([
    [
      'prod-addon-aws-cloud-controller-manager',
      'Patch',
      'spec.forProvider.values.image.tag',
      '"v1.37.1"',
      '"v1.38.1"',
      'the control plane of prod, which runs v1.37.1',
    ],
  ]);
});

/** A platform that has charts for Kubernetes 1.38, too. */
function withOtherImage(composition: KubeObject): KubeObject {
  const text = JSON.stringify(composition)
    .replaceAll('"1.36","1.37"]', '"1.36","1.37","1.38"]')
    .replace(
      /\{"kubernetes":\["1\.37"\],"version":"0\.0\.11","values":\{"image":\{"tag":"v1\.37\.1"\}\}\}/,
      (row) => `${row},${row.replace('1.37"]', '1.38"]').replace('v1.37.1', 'v1.38.1')}`,
    );
  return JSON.parse(text) as KubeObject;
}

test('a ConfigMap that is edited alone is planned with the claims that name it', async () => {
  const { namespace = '' } = general({}).metadata ?? {};
  const patches = (patch: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'patches', namespace },
    data: { patch },
  });
  const overrides = [{ kind: 'Instance', patchFrom: { configMap: { name: 'patches', key: 'patch' } } }];
  const objects = world.objects.map((one) =>
    one.kind === 'NodePool' && one.metadata?.name === 'prod-general'
      ? { ...one, spec: { ...one.spec, infrastructure: { overrides } } }
      : one,
  );
  const planned = (brought: KubeObject) => planClaims({ ...world, objects }, [], [], [], [brought]);
  const entries = await planned(patches('spec: { forProvider: { monitoring: true } }'));
  expect(new Set(entries.map(({ pool }) => pool))).toEqual(new Set(['prod-general']));
  expect(entries.map(({ field }) => field)).toContain('spec.infrastructure.overrides');
  expect(await planned({ ...patches(''), metadata: { name: 'other', namespace } })).toEqual([]);
});

describe('slipway plan reports the kind of change with its exit code', () => {
  test.for([
    { name: 'nothing', edit: () => 'examples/aws', code: 0 },
    { name: 'in-place', edit: () => 'examples/aws/edits/label.yaml', code: 10 },
    { name: 'replaces', edit: () => file('image.yaml', general({ machine: IMAGE })), code: 11 },
  ])('$code: $name', async ({ name, edit, code }) => {
    const ran = await slipway('plan', edit(), '--observed', before);
    expect(ran.stderr).toBe('');
    await expect(steady(ran.stdout)).toMatchFileSnapshot(`golden/plan-${name}.txt`);
    expect(ran.code).toBe(code);
  });

  it('12: held or refused', async () => {
    const pods = file('pods.yaml', cluster({ network: { pods: '10.200.0.0/16' } }));
    const { code, stdout } = await slipway('plan', pods, '--observed', before);
    await expect(stdout.replaceAll(pods, 'pods.yaml')).toMatchFileSnapshot('golden/plan-refused.txt');
    expect(code).toBe(12);
  });

  it('1: a Composition that does not exist', async () => {
    const crossplane = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'nowhere' } } };
    const { code, stderr } = await slipway('plan', file('nowhere.yaml', general({ crossplane })));
    expect(stderr).toContain('there is no Composition with labels slipway.dev/flavor=nowhere for its kind');
    expect(code).toBe(1);
  });

  test.for([
    { name: 'no such file', args: ['nowhere.yaml'], line: 'cannot read "nowhere.yaml": no such file or folder' },
    { name: 'no edit and no deletion', args: ['compositions/aws'], line: 'no Slipway claim found' },
    {
      name: 'unknown format',
      args: ['examples/aws', '-o', 'xml'],
      line: 'cannot accept --output "xml": accepted: table',
    },
    {
      name: 'deletion of an object that does not exist',
      args: ['examples/aws', '--delete', 'NodePool/prod-gpu', '--observed', before],
      line: 'cannot plan the deletion of NodePool "prod-gpu": not found in the objects of --observed or --context; accepted: prod-control-plane, prod-general, prod-memory',
    },
    {
      name: 'deletion of an object whose name is misspelt',
      args: ['--delete', 'NodePool/prod-genral', '--observed', before],
      line: '; accepted: prod-control-plane, prod-general, prod-memory; did you mean "prod-general"?',
    },
    {
      name: 'deletion of an object in another namespace',
      args: ['--delete', 'Cluster/team-b/prod', '--observed', before],
      line: '; there is no Cluster in namespace "team-b"; accepted namespaces: team-a',
    },
    {
      name: 'deletion of a machine',
      args: ['examples/aws', '--delete', 'Machine/x'],
      line: 'accepted: Cluster, NodePool',
    },
  ])('2: $name', async ({ args, line }) => {
    const { code, stderr } = await slipway('plan', ...args);
    expect(stderr).toContain(line);
    expect(code).toBe(2);
  });
});

test('a claim that is refused comes first, whatever else the plan has', async () => {
  const entries = await planClaims(world, [
    cluster({ version: 'v1.37.2' }),
    general({ labels: { team: 'a' } }),
    memory({ machine: { class: 'standrad-4' } }),
  ]);
  expect(entries[0]).toMatchObject({ name: 'prod-memory', decision: 'Refused' });
  expect(entries.filter(({ decision }) => decision === 'Refused')).toHaveLength(1);
  expect(entries.length).toBeGreaterThan(2);
});

describe('the formats of a plan', () => {
  const edit = (): Promise<readonly PlanEntry[]> =>
    planClaims(world, [
      cluster({ version: 'v1.38.0' }),
      general({ machine: { class: 'standard-8' }, labels: { team: 'a' } }),
    ]);

  it('include a table for users', async () => {
    await expect(steady(printed(await edit(), 'table', plain))).toMatchFileSnapshot('golden/plan-table.txt');
  });

  it('include Markdown for a pull request', async () => {
    await expect(steady(printed(await edit(), 'markdown', plain))).toMatchFileSnapshot('golden/plan.md');
  });

  it('include JSON with a documented shape, and the same in YAML', async () => {
    const entries = await edit();
    const json = printed(entries, 'json', plain);
    await expect(steady(json)).toMatchFileSnapshot('golden/plan.json');
    const data = JSON.parse(json) as JsonObject;
    expect(Object.keys(data)).toEqual(['plan', 'verdict', 'summary', 'entries']);
    for (const entry of data['entries'] as readonly unknown[]) expect(PlanEntry.strict().parse(entry)).toEqual(entry);
    expect(parse(printed(entries, 'yaml', plain))).toEqual(data);
  });
});

describe('a plan', () => {
  it('shows the end state of an edit, not only what the budget allows at once', async () => {
    const entries = await planClaims(world, [general({ machine: IMAGE })]);
    const recreated = entries.filter(({ decision }) => decision === 'Recreate');
    expect(recreated.map(({ name }) => name.slice(0, 'prod-general-0'.length))).toEqual([
      'prod-general-0',
      'prod-general-1',
      'prod-general-2',
    ]);
    expect(recreated.map(({ blockedBy }) => blockedBy)).toEqual([undefined, 'update.maxSurge', 'update.maxSurge']);
  });

  it('covers the control plane and the pools that inherit from an edited Cluster', async () => {
    const entries = await planClaims(world, [cluster({ version: 'v1.38.0' })]);
    expect(summaryOf(entries).machines).toMatchObject({ replaced: 8 });
    expect(about(entries, /^prod-memory-1/)).toEqual([
      ['spec.version', 'Recreate', 'the control plane of prod, which runs v1.37.1'],
    ]);
  });

  it('reports that a minor version cannot be skipped, and what is held because of that', async () => {
    const entries = await planClaims(world, [cluster({ version: 'v1.39.0' })]);
    expect(entries[0]).toMatchObject({
      kind: 'NodePool',
      name: 'prod-control-plane',
      field: 'spec.version',
      decision: 'Hold',
      reason: 'v1.39.0 skips a minor version: machines run v1.37.1; accepted: up to v1.38',
    });
    expect(summaryOf(entries)).toMatchObject({ machines: { replaced: 0, held: 5 }, refused: 1 });
  });

  it('updates workers in place for a patch version, once the control plane has it', async () => {
    const entries = await planClaims(world, [cluster({ version: 'v1.37.2' })]);
    expect(about(entries, /^prod-control-plane-1/)).toEqual([['spec.version', 'Recreate', 'update.maxSurge']]);
    expect(about(entries, /^prod-general-1/)).toEqual([
      ['spec.version', 'Update', 'the control plane of prod, which runs v1.37.1'],
    ]);
  });

  it('shows a restart whose time is in the future, and what it waits for', async () => {
    const entries = await planClaims(world, [general({ update: { rolloutAfter: '2026-01-02T00:00:00Z' } })]);
    const blockedBy = 'update.rolloutAfter, which is 2026-01-02T00:00:00Z';
    expect(about(entries, /^prod-general/)).toEqual(Array(3).fill(['spec.rolloutAfter', 'Recreate', blockedBy]));
  });

  it('does not make a pool with a version of its own wait', async () => {
    const entries = await planClaims(world, [cluster({ version: 'v1.38.0' }), memory({ version: 'v1.37.1' })]);
    expect(about(entries, /^prod-memory/)).toEqual([]);
  });

  it('treats a field that the file omits as removed', async () => {
    const entries = await planClaims(world, [memory({ labels: null })]);
    expect(entries.filter(({ field }) => field === 'spec.labels.workload')).toHaveLength(2);
    expect(entries[0]).toMatchObject({ field: 'spec.labels.workload', old: '"memory"', decision: 'Patch' });
    expect(entries[0]).not.toHaveProperty('new');
  });

  it('does not change objects that are not in the files, and deletes those to be deleted', async () => {
    expect(await planClaims(world, [general({})])).toEqual([]);
    const entries = await planClaims(world, [], [{ kind: 'NodePool', name: 'prod-memory' }]);
    expect(entries.map(({ kind, decision }) => [kind, decision])).toEqual([
      ['NodePool', 'Drop'],
      ['Usage', 'Drop'],
      ['Usage', 'Drop'],
      ['ProviderConfigUsage', 'Drop'],
      ['Machine', 'Drop'],
      ['Machine', 'Drop'],
    ]);
    expect(verdict(entries)).toBe('replaces');
  });

  it('shows which machine a smaller pool deletes, and why', async () => {
    const entries = await planClaims(world, [general({ replicas: 2 })]);
    expect(entries).toMatchObject([{ decision: 'Drop', reason: 'removing 1 of 3 machines: replicas is 2' }]);
    expect(verdict(entries)).toBe('replaces');
  });

  it('changes nothing when replicas is taken out of a claim, and keeps that size for what else is edited', async () => {
    expect(await planClaims(world, [general({ replicas: null })])).toEqual([]);
    const ran = await slipway('plan', file('unsized.yaml', general({ replicas: null })), '--observed', before);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const entries = await planClaims(world, [general({ replicas: null, labels: { team: 'a' } })]);
    expect(summaryOf(entries).machines).toMatchObject({ patched: 3, created: 0, removed: 0 });
  });

  it('creates one machine for a new pool without replicas', async () => {
    const added = { ...general({ replicas: null }), metadata: { name: 'prod-new', namespace: 'team-a' } };
    expect(summaryOf(await planClaims(world, [added])).machines.created).toBe(1);
  });

  it('shows all control-plane machines to be created, though they are created one at a time', async () => {
    const entries = await planClaims(world, [cluster(controlPlane({ replicas: 5 }))]);
    expect(about(entries, /^prod-control-plane/)).toEqual([
      ['', 'Create', undefined],
      ['', 'Create', 'one control-plane machine at a time'],
    ]);
    expect(verdict(entries)).toBe('in-place');
  });

  it('shows changes of the network, which would be missing otherwise', async () => {
    const entries = await planClaims(world, [cluster(controlPlane({ allowedCIDRs: ['192.0.2.0/24'] }))]);
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['SecurityGroupIngressRule']));
  });

  it('plans pools and clusters that do not exist yet', async () => {
    const nothing = await planClaims({ ...world, objects: [] }, [cluster({}), general({})]);
    expect(nothing[0]).toMatchObject({ kind: 'Cluster', name: 'prod', decision: 'Create' });
    expect(nothing.at(-1)).toMatchObject({ kind: 'Usage', name: 'prod-general-pool', decision: 'Create' });
    expect(nothing.at(-2)).toMatchObject({ kind: 'ProviderConfigUsage', decision: 'Create' });
    expect(nothing.at(-3)).toMatchObject({
      kind: 'NodePool',
      reason: expect.stringContaining('it creates 3 machines') as string,
    });
    expect(verdict(nothing)).toBe('in-place');
    const added = { ...general({}), metadata: { name: 'prod-new', namespace: 'team-a' } };
    expect(summaryOf(await planClaims(world, [added])).machines.created).toBe(3);
  });

  it('does not change its input', async () => {
    const objects = JSON.stringify(world.objects);
    await planClaims(world, [cluster({ version: 'v1.38.0' })]);
    expect(JSON.stringify(world.objects)).toBe(objects);
  });
});

describe('a change that needs a user to act', () => {
  test.for([
    {
      name: 'fallback Hold',
      claim: () => general({ machine: IMAGE, update: { fallback: 'Hold' } }),
      blockedBy: 'update.fallback is Hold',
    },
    {
      name: 'OnDelete',
      claim: () => general({ machine: IMAGE, update: { strategy: 'OnDelete' } }),
      blockedBy: 'update.strategy',
    },
    {
      name: 'paused',
      claim: () => general({ machine: IMAGE, paused: true }),
      blockedBy: 'spec.paused',
    },
    {
      name: 'a paused control plane',
      claim: () => cluster({ ...controlPlane({ machine: { class: 'standard-4' } }), paused: true }),
      blockedBy: 'spec.paused',
    },
    {
      name: 'a pool that Crossplane leaves alone',
      claim: () => {
        const claim = general({ machine: IMAGE });
        return { ...claim, metadata: { ...claim.metadata, annotations: { 'crossplane.io/paused': 'true' } } };
      },
      blockedBy: 'annotation crossplane.io/paused',
    },
  ])('is reported as held: $name', async ({ claim, blockedBy }) => {
    const entries = await planClaims(world, [claim()]);
    const fields = entries.filter(({ field }) => field !== '');
    expect(fields.map((entry) => [entry.held, entry.blockedBy])).toEqual(fields.map(() => [true, blockedBy]));
    expect(summaryOf(entries).machines).toMatchObject({ held: 3, replaced: 0 });
    expect(verdict(entries)).toBe('held');
  });

  test.for([
    {
      name: 'an immutable field',
      claim: () => cluster({ region: 'eu-north' }),
      field: 'spec.region',
      reason: '"eu-west" cannot be changed to "eu-north": machines and networks cannot move',
    },
    {
      name: 'a pool that is moved to another cluster',
      claim: () => general({ clusterRef: { name: 'other' } }),
      field: 'spec.clusterRef',
      reason: '{"name":"prod"} cannot be changed to {"name":"other"}: nodes cannot move to another cluster',
    },
    {
      name: 'a typo',
      claim: () => general({ replica: 4 }),
      field: 'spec.replica',
      reason: expect.stringMatching(/^unknown field; accepted: /) as string,
    },
    {
      name: 'a value that no schema accepts',
      claim: () => general({ replicas: -1 }),
      field: 'spec.replicas',
      reason: '-1 is not accepted; accepted: at least 0',
    },
    {
      name: 'a number in quotes, where a percentage is text',
      claim: () => general({ update: { maxSurge: '3' } }),
      field: 'spec.update.maxSurge',
      reason: '"3" is not accepted; accepted: a whole number from 0, without quotes, or a percentage such as 25%',
    },
    {
      name: 'a value that only a function can refuse',
      claim: () => general({ machine: { class: 'standard-4', zones: ['mars'] } }),
      field: 'spec.machine.zones[0]',
      reason: expect.stringContaining('accepted: eu-west-1a, eu-west-1b, eu-west-1c') as string,
    },
  ])('is refused with its field, and nothing else changes: $name', async ({ claim, field, reason }) => {
    const entries = await planClaims(world, [claim()]);
    expect(entries).toMatchObject([{ field, decision: 'Refused', reason }]);
    expect(verdict(entries)).toBe('held');
  });

  it('never shows a secret, whether refused or not', async () => {
    const users = [{ name: 'admin', passwordHash: 'hunter2' }];
    const provisioning = { format: 'cloud-init', files: [{ path: '/etc/a', content: 'hunter2', mode: 'rwx' }], users };
    const refused = printed(await planClaims(world, [cluster({ provisioning })]), 'json', plain);
    expect(refused).toContain('Refused');
    expect(refused).not.toContain('hunter2');
    const accepted = { format: 'cloud-init', files: [{ path: '/etc/a', content: 'hunter2' }] };
    const planned = printed(await planClaims(world, [cluster({ provisioning: accepted })]), 'json', plain);
    expect(planned).toContain('Recreate');
    expect(planned).not.toContain('hunter2');
  });
});

describe('what is observed', () => {
  it('exists: claims as they were written say nothing of what they composed, and are refused', async () => {
    const { code, stderr } = await slipway('plan', 'docs/tutorial/shop.yaml', '--observed', 'docs/tutorial/shop.yaml');
    expect(stderr).toBe(
      'slipway: cannot use --observed Cluster "team-b/shop": it has no metadata.uid and no status; accepted: what exists, as kubectl get -o yaml and slipway simulate --save print it\n',
    );
    expect(code).toBe(2);
  });

  it('is read from a list, as kubectl prints several objects', async () => {
    const items = parseAllDocuments(readFileSync(before, 'utf8')).map((document) => document.toJS() as unknown);
    const list = join(folder, 'list.yaml');
    writeFileSync(list, stringify({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items }));
    expect((await slipway('plan', 'examples/aws', '--observed', list)).code).toBe(0);
  });
});

describe('a live cluster', () => {
  const edit = 'examples/aws/edits/label.yaml';
  const installed = (): readonly KubeObject[] => [...world.objects, ...compositions(), ...definitions()];
  const broken = (machine: KubeObject): KubeObject => ({
    ...machine,
    status: {
      ...machine.status,
      conditions: [{ type: 'ClaimAccepted', status: 'False', reason: 'InvalidClaim', message: 'no image for v1.37.1' }],
    },
  });
  const kubeconfigOf = ({ kubeconfig }: KubeApi): string => {
    const path = join(folder, 'kubeconfig');
    writeFileSync(path, kubeconfig);
    return path;
  };

  it('is planned as from files, by listing only, and no Secret is read', async () => {
    const api = await serveObjects(installed(), { page: 5 });
    const ran = await slipway('plan', edit, '--kubeconfig', kubeconfigOf(api), '--context', 'management');
    api.close();
    expect(ran.stderr).toBe('');
    await expect(steady(ran.stdout)).toMatchFileSnapshot('golden/plan-in-place.txt');
    expect(ran.code).toBe(10);
    expect(api.requests.filter((line) => !line.startsWith('GET /apis/'))).toEqual([]);
    expect(api.requests.filter((line) => /\/machines\?/.test(line)).length).toBeGreaterThan(1);
    expect(api.requests.filter((line) => line.includes('secrets'))).toEqual([]);
  });

  it('may refuse access to objects that are not claims: the plan reports what it assumes', async () => {
    const api = await serveObjects(installed(), { forbidden: ['Composition', 'Subnet'] });
    const ran = await slipway('plan', edit, '--kubeconfig', kubeconfigOf(api));
    api.close();
    expect(ran.stderr).toMatch(
      /cannot list Composition in context "management" at .* is forbidden.*; the Compositions of this version of slipway are used/,
    );
    expect(ran.stderr).toMatch(
      /cannot list Subnet in context "management" at .* is forbidden.*; Subnet objects are treated as absent/,
    );
    expect(ran.code).toBe(10);
  });

  it('is described by listing only: a pool that is ready, one that is not with its reason, and no Secret is read', async () => {
    const objects = installed().map((object) =>
      object.kind === 'Machine' && object.metadata?.name?.startsWith('prod-memory-0') === true
        ? broken(object)
        : object,
    );
    const api = await serveObjects(objects, { forbidden: ['Usage'] });
    const described = (...words: readonly string[]) =>
      slipway('describe', ...words, '--kubeconfig', kubeconfigOf(api), '--namespace', 'team-a');
    const ready = await described('nodepool', 'prod-general');
    const unready = await described('np', 'prod-memory');
    const unknown = await described('machine', 'prod-x');
    api.close();
    expect(ready.code).toBe(0);
    expect(ready.stdout).toMatch(/^NodePool prod-general +ready\n/);
    expect(ready.stderr).toMatch(/^slipway: cannot list Usage .*; Usage objects are not shown\n$/);
    expect(unready.code).toBe(3);
    expect(unready.stdout).toMatch(
      /^Not ready: Machine prod-memory-0-[a-z0-9]{5}: no image for v1\.37\.1\n\nNodePool prod-memory/,
    );
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('cannot find Machine "team-a/prod-x": accepted: prod-control-plane-0') as string,
    ]);
    expect(api.requests.filter((line) => line.includes('secrets') || !line.startsWith('GET '))).toEqual([]);
  });

  it('must allow listing its claims', async () => {
    const api = await serveObjects(installed(), { forbidden: ['Machine'] });
    const kubeconfig = kubeconfigOf(api);
    const forbidden = await slipway('plan', edit, '--kubeconfig', kubeconfig);
    const unknown = await slipway('plan', edit, '--kubeconfig', kubeconfig, '--context', 'prod');
    const both = await slipway('plan', edit, '--context', 'management', '--observed', before);
    api.close();
    expect([forbidden.code, forbidden.stderr]).toEqual([
      1,
      expect.stringMatching(/^slipway: cannot list Machine in context "management" at /),
    ]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      'slipway: cannot use context "prod": accepted: management, stranger\n',
    ]);
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining('slipway: cannot accept --context beside --observed: accepted: one of them\n'),
    ]);
  });
});

describe('an edited EnvironmentConfig', () => {
  const data = EVERY_VERSION['data'] as JsonObject;
  const config = (more: JsonObject): KubeObject => ({ ...EVERY_VERSION, data: { ...data, ...more } });
  const keeps = 'those that exist keep what they have';

  it('changes no machine that exists, and says so of each entry', async () => {
    const { b: _b, ...images } = data['images'] as JsonObject;
    const entries = await planClaims(
      world,
      [],
      [],
      [config({ images, classes: { 'standard-4': 'm7i.xlarge' }, regions: { home: 'eu-west-1' } })],
    );
    expect(
      entries.map(({ kind, field, new: value, decision, reason }) => [kind, field, value, decision, reason]),
    ).toEqual([
      ['EnvironmentConfig', 'data.classes.standard-4', '"m7i.xlarge"', 'Patch', `new machines use it; ${keeps}`],
      ...Object.keys(_b as JsonObject).map((region) => [
        'EnvironmentConfig',
        `data.images.b.${region}`,
        undefined,
        'Patch',
        `no new machine uses it; ${keeps}`,
      ]),
      ['EnvironmentConfig', 'data.regions.home', '"eu-west-1"', 'Patch', `new clusters use it; ${keeps}`],
    ]);
    expect(verdictOf(summaryOf(entries))).toBe('in-place');
  });

  it('that functions refuse is refused of every claim that exists', async () => {
    const entries = await planClaims(world, [], [], [config({ classes: { 'standard-4': 7 } })]);
    const refused = entries.filter(({ decision }) => decision === 'Refused').map(({ kind, name }) => `${kind} ${name}`);
    expect(refused).toEqual(['Cluster prod', 'NodePool prod-general', 'NodePool prod-memory']);
  });

  it('is planned together with claims that use it', async () => {
    const claim = general({ machine: { class: 'gpu-8' } });
    expect((await planClaims(world, [claim])).map(({ decision }) => decision)).toEqual(['Refused']);
    const entries = await planClaims(world, [claim], [], [config({ classes: { 'gpu-8': 'g6.2xlarge' } })]);
    expect(new Set(entries.map(({ kind, decision }) => `${kind} ${decision}`))).toEqual(
      new Set(['EnvironmentConfig Patch', 'Machine Update', 'Machine Recreate', 'Machine Create']),
    );
  });

  it('is a section of its own', async () => {
    const path = file('config.yaml', config({ classes: { 'gpu-8': 'g6.2xlarge' } }));
    const { code, stdout } = await slipway('plan', path, '--observed', before);
    expect(stdout).toMatch(/^EnvironmentConfig slipway-aws\n/);
    expect(stdout).toMatch(/\nno machine is touched; other objects: 1 changed\n$/);
    expect(code).toBe(10);
  });
});

describe('a ConfigMap in the files of a plan', () => {
  const overrides = [{ kind: 'Instance', patchFrom: { configMap: { name: 'instances', key: 'patch' } } }];
  const configMap = (patch: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'instances', namespace: 'team-a' },
    data: { patch },
  });
  const claim = (): KubeObject => {
    const pool = general({ infrastructure: { overrides } });
    return { ...pool, metadata: { ...pool.metadata!, namespace: 'team-a' } };
  };

  it('is there for the claims that refer to it', async () => {
    const map = configMap('spec: { forProvider: { monitoring: true } }');
    const alone = await slipway('plan', file('alone.yaml', claim()));
    expect(alone.stdout).toContain('there is none with this name');
    const { stdout } = await slipway('plan', file('both.yaml', claim(), map));
    expect(stdout).not.toContain('Refused');
    expect(stdout).toContain('NodePool prod-general  Create');
  });
});

describe('a prediction', () => {
  // This test is last because it continues the simulation that all others use.
  it('equals the result of a simulation of the same edit', async () => {
    const edit = [memory({ machine: { class: 'memory-8' } }), general({ labels: { team: 'a' }, replicas: 4 })];
    const entries = await planClaims(world, edit);
    const names = (decision: string): readonly string[] =>
      [...new Set(entries.filter((entry) => entry.decision === decision).map(({ name }) => name))].toSorted();
    const old = machineNames();
    for (const claim of edit) engine.apply(claim);
    const end = engine.seconds + 60;
    await engine.runUntil(() => engine.seconds > end && settled() && machineNames().length === 9, {
      limitSeconds: engine.seconds + 7200,
    });
    expect(old.filter((name) => !machineNames().includes(name))).toEqual(names('Recreate'));
    const labelled = machines().filter((machine) => at(machine, 'spec', 'labels', 'team') === 'a');
    expect(
      labelled.map((machine) => stringAt(machine, 'metadata', 'name')).filter((name) => old.includes(name ?? '')),
    ).toEqual(names('Patch'));
    const created = entries.filter(({ decision, succeeds }) => decision === 'Create' && succeeds === undefined);
    expect(machineNames()).toEqual(expect.arrayContaining(created.map(({ name }) => name)));
    expect(await planClaims({ ...world, objects: observedObjects(engine) }, edit)).toEqual([]);
  });
});

function machines(): readonly KubeObject[] {
  return engine.list({ apiVersion: API_VERSION, kind: 'Machine' });
}

function machineNames(): readonly string[] {
  return machines().map(({ metadata }) => metadata?.name ?? '');
}
