/** Claims on one flavour, and everything that the functions render of a changed one: what differs is what a field does. */
import { webcrypto } from 'node:crypto';
import { vi } from 'vitest';
import { at, isJsonObject, stringAt, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { ClaimKind } from '#lib/api/support/rows.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { type Run, runXr } from '../../cli/plan/rendering.ts';
import type { PlanWorld } from '../../cli/plan/world.ts';
import { withObjects } from '../../cli/plan/world.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { installedEngine } from '../support/example.ts';
import type { FlavourSamples } from './flavour.ts';
import { inProcess } from '../support/in-process.ts';
import { EVERY_VERSION } from '../support/every-version.ts';

export interface Stage {
  /** A claim or a Machine as it is. */
  readonly object: (kind: ClaimKind) => KubeObject;
  /** What everything comes to with this object: equal texts mean that nothing differs. */
  readonly outcome: (object: KubeObject) => Promise<readonly string[]>;
  readonly world: PlanWorld;
}

const NAMESPACE = 'team-a';
const CLUSTER = 'prod';
const ANOTHER = 'prod-another-9-aaaaa';

/** Secrets and ConfigMaps that claims may name; two keys and two names, each with its own value. */
const REFERRED: readonly KubeObject[] = [patches(), ...['first', 'second'].flatMap(referredAs)];

function referredAs(name: string): readonly KubeObject[] {
  return [
    ...['', 'hashes', 'users'].map((what) => secretOf(name, what)),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: NAMESPACE },
      data: Object.fromEntries(['a', 'b'].map((key) => [key, manifest(`${name}-${key}`)])),
    },
  ];
}

/** A patch of nothing. */
function patches(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'patches', namespace: NAMESPACE },
    data: { nothing: '{}' },
  };
}

/** Of what sort its values are is in its name; other than `second` is the one that `other` means. */
function secretOf(name: string, what: string): KubeObject {
  const other = name === 'second' ? 'other-' : '';
  const textOfKey = (key: string): string =>
    ({ '': `http://fake-${name}-${key}`, hashes: `$6$fake$${name}${key}`, users: `fake:${name}${key}` })[what] ?? '';
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: what === '' ? name : `${other}${what}`,
      namespace: NAMESPACE,
      labels: { 'slipway.dev/cluster': CLUSTER },
    },
    data: Object.fromEntries(['a', 'b'].map((key) => [key, Buffer.from(textOfKey(key)).toString('base64')])),
  };
}

function manifest(name: string): string {
  return `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`;
}

/** A cluster with one machine of each role on a simulated cloud. */
export async function stageOf(
  flavour: string,
  { machineInput = {}, before = [], observers = [], cluster = {}, parts }: FlavourSamples,
): Promise<Stage> {
  const engine = installedEngine();
  engine.load(REFERRED);
  for (const object of before) engine.apply(object);
  const crossplane = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': flavour } } };
  const claims = [withSpec(clusterClaim(crossplane), cluster), poolClaim(crossplane)];
  for (const claim of claims) engine.apply(claim);
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  if (!reached) throw new Error(`the claims do not become Ready on ${flavour}`);
  const refs = engine.snapshot().composites.flatMap(({ composed, ...xr }) => [xr, ...composed]);
  const found = refs.flatMap((ref) => engine.get(ref) ?? []);
  const objects = new Map(found.map((object) => [object.metadata?.uid, object])).values();
  const world: PlanWorld = {
    objects: [...objects, ...REFERRED, ...observers, EVERY_VERSION],
    definitions: definitions(),
    compositions: compositions().map((one) =>
      open(one, { MachineInput: machineInput, ClusterInput: { limits: parts, providerConfigs: ANY } }),
    ),
    functions: inProcess,
    now: engine.now,
  };
  // Renders must not differ by chance; the simulation before them needs tokens of its own for each machine.
  vi.spyOn(webcrypto, 'getRandomValues').mockImplementation((array) => {
    (array as Uint8Array).fill(7);
    return array;
  });
  // Many samples begin with the same claim.
  const known = new Map<string, Promise<readonly string[]>>();
  const outcome = (object: KubeObject): Promise<readonly string[]> => {
    const text = JSON.stringify(object);
    const found = known.get(text) ?? outcomeOf(world, object);
    known.set(text, found);
    return found;
  };
  return { world, object: (kind) => objectOf(world, kind), outcome };
}

/** Credentials that claims may choose. */
const ANY = ['ProviderConfig', 'ClusterProviderConfig'].map((kind) => ({ kind, name: '*' }));

/** A Composition that lets claims choose everything: its limits refuse what this test is about. */
function open(composition: KubeObject, inputs: Readonly<Record<string, object>>): KubeObject {
  const steps = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
  const pipeline = steps.map((step) => {
    const { limits: _limits, ...input } = isJsonObject(step['input']) ? step['input'] : {};
    if (step['input'] === undefined) return step;
    return { ...step, input: { ...input, ...inputs[stringAt(input, 'kind') ?? ''] } };
  });
  return { ...composition, spec: { ...composition.spec, pipeline } };
}

function clusterClaim(crossplane: JsonObject): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: CLUSTER, namespace: NAMESPACE },
    spec: {
      crossplane,
      version: 'v1.35.4',
      region: 'eu-west',
      controlPlane: {
        replicas: 1,
        machine: { class: 'standard-2' },
        scheme: 'internet-facing',
        allowedCIDRs: ['203.0.113.0/24'],
      },
    },
  };
}

function poolClaim(crossplane: JsonObject): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'NodePool',
    metadata: { name: 'prod-general', namespace: NAMESPACE },
    spec: { crossplane, clusterRef: { name: CLUSTER }, replicas: 1, machine: { class: 'standard-4' } },
  };
}

const isControlPlane = ({ spec }: KubeObject): boolean => at(spec, 'role') === 'control-plane';

function objectsOf({ objects }: PlanWorld, kind: string): readonly KubeObject[] {
  return objects.filter((object) => object.apiVersion === 'slipway.dev/v1alpha1' && object.kind === kind);
}

/** Of pools and machines, the worker. */
function objectOf(world: PlanWorld, kind: ClaimKind): KubeObject {
  const found = objectsOf(world, kind).find((object) => !isControlPlane(object));
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
}

async function outcomeOf(world: PlanWorld, object: KubeObject): Promise<readonly string[]> {
  const changed = withObjects(world, [object]);
  if (object.kind === 'Cluster') return ofCluster(changed, object);
  return object.kind === 'NodePool' ? ofPool(changed, object) : ofMachine(changed, object);
}

const isObserver = ({ metadata }: KubeObject): boolean => metadata?.labels?.['observes'] !== undefined;

/** As it exists; as it would be new; and what its pools and machines make of it, which read it. */
async function ofCluster(world: PlanWorld, cluster: KubeObject): Promise<readonly string[]> {
  const pools = objectsOf(world, 'NodePool');
  const machines = objectsOf(world, 'Machine');
  return [
    await shown(world, cluster),
    await shown({ ...world, objects: [...REFERRED, ...world.objects.filter(isObserver)] }, unborn(cluster)),
    ...(await Promise.all(pools.map((pool) => shown(withoutMachines(world), unborn(pool))))),
    ...(await Promise.all(machines.map((machine) => born(atBirthOf(machine, world), another(machine))))),
  ];
}

/** The first machine of a cluster comes before its control plane. */
function atBirthOf(machine: KubeObject, world: PlanWorld): PlanWorld {
  if (at(machine, 'spec', 'bootstrap', 'action') !== 'Init') return world;
  const clusters = objectsOf(world, 'Cluster').map(
    (cluster) => mergePatch(cluster, { status: { controlPlane: { initialized: false } } }) as KubeObject,
  );
  return withObjects(world, clusters);
}

async function ofPool(world: PlanWorld, pool: KubeObject): Promise<readonly string[]> {
  return [await shown(world, pool), await shown(withoutMachines(world), unborn(pool))];
}

/** As it exists, and as the first machine of its cluster and as another one would be new. */
async function ofMachine(world: PlanWorld, machine: KubeObject): Promise<readonly string[]> {
  return [await shown(world, machine), await born(world, another(machine))];
}

function withoutMachines(world: PlanWorld): PlanWorld {
  return { ...world, objects: world.objects.filter(({ kind }) => kind !== 'Machine') };
}

/** Like this one, by another name: first-boot data of this one exists already. */
function another(machine: KubeObject): KubeObject {
  const { uid: _uid, ...metadata } = machine.metadata ?? {};
  return unborn({ ...machine, metadata: { ...metadata, name: ANOTHER } });
}

/** Nothing of it is observed yet. */
function unborn(object: KubeObject): KubeObject {
  const { crossplane, ...spec } = object.spec ?? {};
  const { status: _status, ...rest } = object;
  const { compositionSelector } = isJsonObject(crossplane) ? crossplane : {};
  return { ...rest, spec: { ...spec, crossplane: { compositionSelector } } };
}

async function shown(world: PlanWorld, xr: KubeObject): Promise<string> {
  return textOf(await runXr(world, xr));
}

/** A machine comes in the call after the call that stores its first-boot data. */
async function born(world: PlanWorld, machine: KubeObject): Promise<string> {
  const run = await runXr(world, machine);
  const payload = 'refusal' in run ? undefined : run.rendered.composed.find(isPayload);
  if (payload === undefined) return textOf(run);
  const { apiVersion, kind } = payload;
  // Rendering gives an XR without an uid its own, other than the next.
  const { ownerReferences: _owners, ...metadata } = payload.metadata ?? {};
  const resourceRefs = [{ apiVersion, kind, name: metadata.name ?? '' }];
  const crossplane = { ...(machine.spec?.['crossplane'] as JsonObject), resourceRefs };
  const stored = { ...machine, spec: { ...machine.spec, crossplane } };
  return shown(withObjects(world, [stored, { ...payload, metadata }]), stored);
}

function isPayload(object: KubeObject): boolean {
  return at(object, 'data', 'format') !== undefined;
}

/** Begins the text of what is refused. */
export const REFUSED = 'refused: ';

function textOf(run: Run): string {
  if ('refusal' in run) return `${REFUSED}${run.refusal.field}: ${run.refusal.reason}`;
  const { composed, context, composite } = run.rendered;
  // What a Cluster tells its machines.
  const told = ['infrastructure', 'controlPlaneEndpoint'].map((field) => at(composite, 'status', field) ?? null);
  return JSON.stringify([composed.map(withoutKeys), context, told]);
}

/** New keys and certificates are random. */
function withoutKeys(object: KubeObject): Json {
  const isMade = object.kind === 'Secret' && object['type'] === 'cluster.x-k8s.io/secret';
  return isMade && !isPayload(object) ? { ...object, data: Object.keys((object['data'] ?? {}) as object) } : object;
}

/** @param patch of the spec; null takes a field away */
export function withSpec(object: KubeObject, patch: JsonObject): KubeObject {
  return mergePatch(object, { spec: patch }) as KubeObject;
}
