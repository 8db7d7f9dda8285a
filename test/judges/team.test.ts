/**
 * A person with nothing but the documented role, at a real API server with the documented policies: what would take a
 * claim out of reach of the platform is refused, every way of it, and what a team needs is not.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { at, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, ROOT } from '../../cli/files/repository.ts';
import type { Api, Ref } from '../e2e/lab/api.ts';
import { refOf } from '../e2e/lab/api.ts';
import { until } from '../e2e/lab/waiting.ts';
import { hasKubernetes, realKubernetes } from '../support/real-kubernetes.ts';
import { define, definitionsOf, manifests } from './management-api.ts';

const TEAM = 'team-a';
const FINALIZER = 'composite.apiextensions.crossplane.io';
const NAMED = 'crossplane.io/composition-resource-name';
const OF_PLATFORM = 'only the platform team may';
const OF_METADATA = /denied request: metadata(?:\.\w+)?: only the platform team may/;

const claim = (kind: string, name: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, namespace: TEAM },
  spec: { crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } }, ...spec },
});
const machine = { class: 'standard-2' };
const CLUSTER = claim('Cluster', 'prod', { version: 'v1.35.4', region: 'eu-west', controlPlane: { machine } });
const POOL = claim('NodePool', 'general', { clusterRef: { name: 'prod' }, machine });
const CONTROL_PLANE = claim('NodePool', 'prod-control-plane', {
  clusterRef: { name: 'prod' },
  role: 'control-plane',
  replicas: 3,
  machine,
});

const answered = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe.skipIf(!hasKubernetes('what a team may do') || manifests === undefined)('a person of a team', () => {
  const real = realKubernetes();
  let platform: Api;
  let team: Api;

  beforeAll(async () => {
    const { kubernetes } = real;
    platform = kubernetes.api;
    await define(kubernetes, definitionsOf());
    await platform.apply(...compositions());
    const install = (file: string) => readObjects([join(ROOT, 'docs/install', file)]);
    const needed = new Set(['Namespace', 'RoleBinding']);
    await platform.apply(...install('platform.yaml'), ...install('team.yaml').filter(({ kind }) => needed.has(kind)));
    team = platform.as('alice', TEAM);
    await asCrossplane();
    // Another one each time: what was accepted before may stay as it is.
    const probes = { sent: 0 };
    await until('the policies and the role are in force', { seconds: 60 }, async () => {
      probes.sent += 1;
      const annotations = { 'crossplane.io/probe': String(probes.sent) };
      const said = await answered(team.patch(refOf(CLUSTER), { metadata: { annotations } }));
      return said.includes(OF_PLATFORM) ? { found: true } : { yet: said };
    });
  });

  /** What Crossplane writes on claims and on what a Cluster composes. */
  async function asCrossplane(): Promise<void> {
    const held = ({ metadata, ...claimed }: KubeObject, more: JsonObject): KubeObject => ({
      ...claimed,
      metadata: {
        ...metadata,
        labels: { 'crossplane.io/composite': metadata?.name ?? '' },
        finalizers: [FINALIZER],
        ...more,
      },
    });
    await platform.apply(held(CLUSTER, {}), held(POOL, {}));
    const { metadata } = await platform.get(refOf(CLUSTER));
    const { apiVersion, kind } = CLUSTER;
    const owner = {
      apiVersion,
      kind,
      name: 'prod',
      uid: metadata?.uid ?? '',
      controller: true,
      blockOwnerDeletion: true,
    };
    await platform.apply(held(CONTROL_PLANE, { annotations: { [NAMED]: 'control-plane' }, ownerReferences: [owner] }));
  }

  test.for<{ readonly what: string; readonly on?: KubeObject; readonly metadata: JsonObject }>([
    { what: 'pause its claim', metadata: { annotations: { 'crossplane.io/paused': 'true' } } },
    { what: 'have it looked at once a year', metadata: { annotations: { 'crossplane.io/poll-interval': '8760h' } } },
    { what: 'give it an external name', metadata: { annotations: { 'crossplane.io/external-name': 'of-others' } } },
    { what: 'say that it is composed', metadata: { annotations: { [NAMED]: 'control-plane' } } },
    {
      what: 'have the Cluster forget its control plane',
      on: CONTROL_PLANE,
      metadata: { annotations: { [NAMED]: null } },
    },
    {
      what: 'have the Cluster take its control plane for another one',
      on: CONTROL_PLANE,
      metadata: { annotations: { [NAMED]: 'another' } },
    },
    { what: 'say whose claim it is', metadata: { labels: { 'crossplane.io/claim-name': 'of-others' } } },
    { what: 'take its name from what it composes', metadata: { labels: { 'crossplane.io/composite': null } } },
    { what: 'say that nothing uses it', metadata: { labels: { 'crossplane.io/in-use': 'false' } } },
    { what: 'write for a part of Crossplane', metadata: { annotations: { 'usage.crossplane.io/any': 'x' } } },
    { what: 'take the finalizer of Crossplane away', metadata: { finalizers: null } },
    { what: 'hold a deletion that Crossplane has finished', metadata: { finalizers: [FINALIZER, 'example.com/hold'] } },
    { what: 'leave behind what is composed', metadata: { finalizers: [FINALIZER, 'orphan'] } },
    { what: 'take a control plane from its Cluster', on: CONTROL_PLANE, metadata: { ownerReferences: [] } },
    {
      what: 'have a claim go with another object',
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'none' }] },
    },
  ])('cannot $what', async ({ on = POOL, metadata }) => {
    expect(await answered(team.patch(refOf(on), { metadata }))).toMatch(OF_METADATA);
    expect(await answered(platform.patch(refOf(on), { metadata }))).toBe('accepted');
    await asCrossplane();
    await platform.patch(refOf(on), { metadata: { annotations: Object.fromEntries(written(metadata)) } });
  });

  test.for<{ readonly what: string; readonly metadata: JsonObject }>([
    { what: 'paused', metadata: { annotations: { 'crossplane.io/paused': 'true' } } },
    { what: 'with a finalizer', metadata: { finalizers: ['example.com/hold'] } },
    {
      what: 'with the label of what another one composes',
      metadata: { labels: { 'crossplane.io/composite': 'prod' } },
    },
  ])('cannot write a new claim $what', async ({ metadata }) => {
    const fresh = { ...POOL, metadata: { name: 'fresh', namespace: TEAM, ...metadata } } as KubeObject;
    expect(await answered(team.apply(fresh))).toMatch(OF_METADATA);
  });

  test('cannot leave behind what is composed with a deletion', async () => {
    expect(await answered(team.delete(refOf(POOL), { propagationPolicy: 'Orphan' }))).toContain(OF_PLATFORM);
  });

  test('cannot write any other kind of ours, such as Host, HostClaim and WorkloadNode, nor their status', async () => {
    const said: Record<string, readonly string[]> = {};
    for (const { group, kind } of NODE_KINDS) {
      const ref: Ref = { apiVersion: `${group}/v1alpha1`, kind, namespace: TEAM, name: 'mine' };
      const { apiVersion } = ref;
      const object = { apiVersion, kind, metadata: { name: 'mine', namespace: TEAM }, spec: {} };
      said[kind] = [
        await answered(team.apply(object)),
        await answered(team.patch(ref, { spec: {} })),
        await answered(team.patchStatus(ref, {})),
        await answered(team.delete(ref)),
      ];
    }
    expect(Object.keys(said)).toEqual(expect.arrayContaining(['Host', 'HostClaim', 'WorkloadNode']));
    for (const [kind, answers] of Object.entries(said))
      for (const answer of answers) expect(answer, kind).toMatch(/forbidden: User "alice" cannot/);
  });

  test('is refused where a policy cannot be judged or would cost too much', async () => {
    const policies = readObjects([join(ROOT, 'docs/install/platform.yaml')]).filter(({ kind }) =>
      kind.startsWith('Valid'),
    );
    const said = policies.map(
      ({ spec }) => spec?.['failurePolicy'] ?? [spec?.['validationActions'], at(spec, 'paramRef')],
    );
    expect(said).toEqual([
      'Fail',
      [['Deny'], undefined],
      'Fail',
      [['Deny'], undefined],
      'Fail',
      [['Deny'], expect.objectContaining({ parameterNotFoundAction: 'Deny' })],
    ]);
    const many = Array.from({ length: 5000 }, (_none, index) => [`crossplane.io/a${index}`, '']);
    const metadata = { annotations: Object.fromEntries(many) as JsonObject };
    expect(await answered(team.patch(refOf(POOL), { metadata }))).toMatch(OF_METADATA);
  });

  test('may label and annotate its claims, ask Crossplane to look at one, pause machines, scale, and delete', async () => {
    const edits: readonly Json[] = [
      { metadata: { labels: { 'example.com/team': 'a' }, annotations: { 'example.com/crossplane.io': 'x' } } },
      { metadata: { annotations: { 'crossplane.io/reconcile-requested-at': '2026-01-01T00:00:00Z' } } },
      { spec: { paused: true } },
      { spec: { replicas: 3 } },
    ];
    for (const edit of edits) expect(await answered(team.patch(refOf(POOL), edit))).toBe('accepted');
    for (const options of [{}, { propagationPolicy: 'Foreground' }] as const) {
      const fresh = { ...POOL, metadata: { name: `fresh-${Object.keys(options).length}`, namespace: TEAM } };
      expect(await answered(team.apply(fresh))).toBe('accepted');
      expect(await answered(team.delete(refOf(fresh), options))).toBe('accepted');
    }
  });
});

/** The annotations of an attempt, to be taken away again. */
function written(metadata: JsonObject): readonly (readonly [string, null])[] {
  const { annotations } = metadata as { readonly annotations?: JsonObject };
  return Object.entries(annotations ?? {}).flatMap(([key, value]) =>
    key === NAMED || value === null ? [] : [[key, null] as const],
  );
}
