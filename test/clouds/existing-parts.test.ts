/**
 * Every part of a cluster that somebody else may provide: a cluster that uses it becomes Ready, nothing of the part is
 * changed while the cluster lives, and it is still there when the cluster is deleted.
 */
import { describe, expect, test } from 'vitest';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { at, isJsonObject, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE, LABEL, NODE_API_VERSION, USAGE_API_VERSION } from '#lib/api/words.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import { createEngine, type Engine } from '#simulator/engine.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { EVERY_VERSION } from '../support/every-version.ts';
import { inProcess } from '../support/in-process.ts';
import { CLOUD_CASES } from './existing-parts/all.ts';
import { mixesOf, referring } from './existing-parts/mixes.ts';
import { type CloudCase, foreignObject, OWNER, type PartCase, seenIn, textsIn } from './existing-parts/case.ts';

const NAMESPACE = 'team-a';

function engineWith(input: JsonObject): Engine {
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 0,
    functions: inProcess,
  });
  engine.load([...definitions(), ...compositions().map((one) => withInput(one, input)), EVERY_VERSION]);
  return engine;
}

/** With other settings of the platform for Clusters. */
function withInput(composition: KubeObject, more: JsonObject): KubeObject {
  const steps = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
  const pipeline = steps.map((step) => {
    const { input } = step;
    return isJsonObject(input) && input['kind'] === 'ClusterInput' ? { ...step, input: mergePatch(input, more) } : step;
  });
  return { ...composition, spec: { ...composition.spec, pipeline } };
}

const objects = (engine: Engine, namespace: string): readonly KubeObject[] =>
  SIMULATED_CLOUDS.flatMap(({ kinds }) => kinds.flatMap((kind) => engine.list(kind))).filter(
    ({ metadata }) => metadata?.namespace === namespace,
  );

/** Spec and what the cloud reports of everything that the owner has. */
const stateOf = (engine: Engine) =>
  objects(engine, OWNER).map(({ kind, metadata, spec, status }) => ({
    name: `${kind} ${metadata?.name}`,
    uid: metadata?.uid,
    spec,
    cloud: status?.['atProvider'],
  }));

/** Makes what the owner has, and returns how to look at it. */
async function owned(engine: Engine, cloud: CloudCase, { owned: batches }: PartCase) {
  const seen = seenIn(engine, () => objects(engine, OWNER));
  for (const batch of batches) {
    for (const foreign of batch(seen)) engine.apply(foreignObject(cloud, foreign));
    const isMade = () => objects(engine, OWNER).every(({ status }) => at(status, 'atProvider', 'id') !== undefined);
    const { reached } = await engine.runUntil(isMade, { limitSeconds: engine.seconds + 900 });
    expect(reached, 'the owner has it').toBe(true);
  }
  return seen;
}

function claims({ cloud }: CloudCase, spec: JsonObject): readonly KubeObject[] {
  const crossplane = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': cloud } } };
  const machine = { class: 'standard-2' };
  const metadata = { namespace: NAMESPACE };
  const cluster: JsonObject = {
    crossplane,
    version: 'v1.35.4',
    region: 'eu-west',
    controlPlane: { replicas: 1, machine },
  };
  return [
    {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Cluster',
      metadata: { ...metadata, name: 'prod' },
      spec: mergePatch(cluster, spec) as JsonObject,
    },
    {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'NodePool',
      metadata: { ...metadata, name: 'prod-general' },
      spec: { crossplane, clusterRef: { name: 'prod' }, replicas: 1, machine },
    },
  ];
}

/** Not one of those that the team wrote. */
const isOfCluster = ({ metadata }: KubeObject): boolean => metadata?.labels?.['observes'] === undefined;

const NO_LIMITS = { networks: null, subnets: null };

describe.for(CLOUD_CASES)('on $cloud', (cloud) => {
  test.for([...cloud.parts, ...mixesOf(cloud)])('$part: used, never changed, never deleted', async (one) => {
    // Ids are known only when the owner has the part, so that limits and settings of the platform follow then.
    const scout = engineWith({});
    const known = await owned(scout, cloud, one);
    const claim = one.claim(known);
    const existing = at(claim, 'infrastructure', 'existing');
    const limits = {
      ...NO_LIMITS,
      securityGroups: [...textsIn(at(existing, 'securityGroups'))],
      identities: [...textsIn(at(existing, 'identities'))],
      loadBalancerTargets: [...textsIn(at(existing, 'loadBalancerTargets'))],
      resourceGroups: [...textsIn(at(existing, 'resourceGroup'))],
      encryptionKeys: [...textsIn(at(existing, 'encryptionKey'))],
    };
    const engine = engineWith({ limits, ...one.input?.(known) });
    const seen = await owned(engine, cloud, one);
    expect(one.claim(seen), 'the same ids').toEqual(claim);
    const before = stateOf(engine);
    const inNamespace = { claim, observers: [] };
    const named =
      one.byReference === true ? referring(cloud.cloud, claim, objects(engine, OWNER), NAMESPACE) : inNamespace;
    for (const observer of named.observers) engine.apply(observer);
    const all = claims(cloud, named.claim);
    for (const object of all) engine.apply(object);
    const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: engine.seconds + 3600 });
    expect(reached, 'Ready').toBe(true);

    const made = objects(engine, NAMESPACE).filter(isOfCluster);
    // Without the CRDs of providers, nothing is wrong: .skip would leave out the rest.
    const wrong = crdsAvailable() ? made.flatMap(({ status: _status, ...object }) => validateManaged(object)) : [];
    expect(wrong, 'for the provider').toEqual([]);
    expect(made.filter(({ kind }) => one.without.includes(kind)).map(({ kind }) => kind)).toEqual([]);
    const ids = new Set(before.flatMap(({ cloud: facts }) => textsIn(at(facts, 'id'))));
    const adopted = made.filter(({ metadata }) => ids.has(metadata?.annotations?.[CROSSPLANE.externalName] ?? ''));
    const isLookedAt = ({ spec }: KubeObject) => sameJson(at(spec, 'managementPolicies') ?? null, ['Observe']);
    expect(
      adopted.filter((object) => !isLookedAt(object)).map(({ kind }) => kind),
      'nothing manages what the owner has',
    ).toEqual([]);
    expect(adopted.map(({ kind }) => kind)).toEqual(one.lookedAt ?? []);
    // The id itself or, where the provider asks for a name, its last part; a network is used by its subnets.
    const used = made.flatMap(({ spec }) => textsIn(spec));
    const isUsed = (id: string) =>
      used.some((text) => text.startsWith(id) || text === id.slice(id.lastIndexOf('/') + 1));
    const { network: _bySubnets, ...others } = isJsonObject(existing) ? existing : {};
    const idsNamed = textsIn(others).filter((id) => !/^[a-z0-9-]+$/.test(id));
    expect(idsNamed.filter((id) => !isUsed(id))).toEqual([]);
    // What changes another object in a cloud: rules, policies, routes and grants name it.
    const changing = /Rule$|^RolePolicy|^RoleAssignment|^Route|^DefaultSecurityGroup|IAMMember$|^Firewall$/;
    const CHANGED = [
      'securityGroupId',
      'role',
      'vpcId',
      'routeTableId',
      'subnetId',
      'member',
      'serviceAccountId',
      'scope',
    ];
    const touching = made
      .filter(({ kind }) => changing.test(kind) && kind !== 'ForwardingRule')
      .filter(({ spec }) => CHANGED.some((field) => ids.has(stringAt(spec, 'forProvider', field) ?? '')));
    expect(touching.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([]);
    expect(stateOf(engine), 'while the cluster lives').toEqual(before);

    const soon = () => ({ limitSeconds: engine.seconds + 7200 });
    const remove = (kind: string): void => {
      for (const { apiVersion, metadata } of all.filter((object) => object.kind === kind))
        engine.delete({ apiVersion, kind, namespace: NAMESPACE, name: metadata?.name ?? '' });
    };
    remove('NodePool');
    // A Cluster is in use until its last worker is drained.
    const isDrained = () =>
      [
        ...engine.list({ apiVersion: USAGE_API_VERSION, kind: 'Usage' }),
        ...engine.list({ apiVersion: NODE_API_VERSION, kind: 'WorkloadNode' }),
      ].every(({ metadata }) => metadata?.labels?.[LABEL.role] !== 'worker');
    expect((await engine.runUntil(isDrained, soon())).reached, 'workers are gone').toBe(true);
    remove('Cluster');
    const isGone = () => !objects(engine, NAMESPACE).some(isOfCluster);
    expect((await engine.runUntil(isGone, soon())).reached, 'everything of the cluster is gone').toBe(true);
    expect(stateOf(engine), 'after the cluster').toEqual(before);
  });
});
