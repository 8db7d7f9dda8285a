/** One life of a cluster that uses parts of somebody else: from its claim to Ready, and to its end. */
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { LABEL, NODE_API_VERSION, USAGE_API_VERSION } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { allReady } from '../../../cli/simulate/simulation.ts';
import { type CloudCase, OWNER, type PartCase, textsIn } from './case.ts';
import { type Naming, referring } from './referring.ts';
import { claims, engineWith, isObserver, managedIn, NAMESPACE, owned } from './stage.ts';

export interface Life {
  readonly isReady: boolean;
  readonly areWorkersGone: boolean;
  readonly isGone: boolean;
  /** Parts of the claim, by id. */
  readonly existing: JsonObject;
  /** Managed resources of the cluster when it is Ready. */
  readonly made: readonly KubeObject[];
  /** Each as it was composed, before a provider wrote to it. */
  readonly composed: readonly KubeObject[];
  /** What the team wrote to refer to what the owner has. */
  readonly observers: readonly KubeObject[];
  /** What the owner has, as the cloud reports it, and the same later. */
  readonly before: readonly Owned[];
  readonly whileReady: readonly Owned[];
  readonly after: readonly Owned[];
}

export interface Owned {
  readonly name: string;
  readonly uid: string | undefined;
  readonly spec: JsonObject | undefined;
  readonly cloud: unknown;
}

const NO_LIMITS = { networks: null, subnets: null };

/** @param naming  how the claim names each part */
export async function lifeOf(cloud: CloudCase, one: PartCase, naming: Naming): Promise<Life> {
  const engine = await stageFor(cloud, one);
  const before = stateOf(engine);
  const claim = one.claim(await owned(engine, cloud, { ...one, owned: [] }));
  const named = referring(cloud.cloud, claim, managedIn(engine, OWNER), NAMESPACE, naming);
  for (const observer of named.observers) engine.apply(observer);
  const composed = firstSeen(engine);
  const all = claims(cloud, named.claim);
  for (const object of all) engine.apply(object);
  const { reached: isReady } = await engine.runUntil(() => allReady(engine), { limitSeconds: engine.seconds + 3600 });
  const ofCluster = () => managedIn(engine, NAMESPACE).filter((object) => !isObserver(object));
  const made = ofCluster();
  const whileReady = stateOf(engine);

  const soon = () => ({ limitSeconds: engine.seconds + 7200 });
  const remove = (kind: string): void => {
    for (const { apiVersion, metadata } of all.filter((object) => object.kind === kind))
      engine.delete({ apiVersion, kind, namespace: NAMESPACE, name: metadata?.name ?? '' });
  };
  if (isReady) remove('NodePool');
  // A cluster that never came up is judged as it is: its end would take hours of virtual time.
  const areWorkersGone = isReady && (await engine.runUntil(() => !hasWorkers(engine), soon())).reached;
  if (areWorkersGone) remove('Cluster');
  const isGone = areWorkersGone && (await engine.runUntil(() => ofCluster().length === 0, soon())).reached;
  return {
    isReady,
    areWorkersGone,
    isGone,
    existing: (at(claim, 'infrastructure', 'existing') ?? {}) as JsonObject,
    made,
    composed: [...composed.values()],
    observers: named.observers,
    before,
    whileReady,
    after: stateOf(engine),
  };
}

/** Ids are known only when the owner has the part: limits and settings of the platform follow then. */
async function stageFor(cloud: CloudCase, one: PartCase): Promise<Engine> {
  const scout = await owned(engineWith({}), cloud, one);
  const claim = one.claim(scout);
  const named = (part: string) => [...textsIn(at(claim, 'infrastructure', 'existing', part))];
  const limits = {
    ...NO_LIMITS,
    securityGroups: named('securityGroups'),
    identities: named('identities'),
    loadBalancerTargets: named('loadBalancerTargets'),
    resourceGroups: named('resourceGroup'),
    encryptionKeys: named('encryptionKey'),
  };
  const engine = engineWith({ limits, ...one.input?.(scout) });
  const again = one.claim(await owned(engine, cloud, one));
  if (JSON.stringify(again) !== JSON.stringify(claim)) throw new Error('cannot begin: the owner gets other ids');
  return engine;
}

/** Spec and what the cloud reports of everything that the owner has. */
function stateOf(engine: Engine): readonly Owned[] {
  return managedIn(engine, OWNER).map(({ kind, metadata, spec, status }) => ({
    name: `${kind} ${metadata?.name}`,
    uid: metadata?.uid,
    spec,
    cloud: status?.['atProvider'],
  }));
}

function firstSeen(engine: Engine): ReadonlyMap<string, KubeObject> {
  const first = new Map<string, KubeObject>();
  engine.subscribe((happening) => {
    const object = happening.type === 'object' ? engine.get(happening.ref) : undefined;
    if (object?.metadata?.namespace !== NAMESPACE || isObserver(object)) return;
    const key = `${object.kind} ${object.metadata.name}`;
    if (/\.m\.upbound\.io\//.test(object.apiVersion) && !first.has(key)) first.set(key, object);
  });
  return first;
}

/** A Cluster is in use until its last worker is drained. */
function hasWorkers(engine: Engine): boolean {
  return [
    ...engine.list({ apiVersion: USAGE_API_VERSION, kind: 'Usage' }),
    ...engine.list({ apiVersion: NODE_API_VERSION, kind: 'WorkloadNode' }),
  ].some(({ metadata }) => metadata?.labels?.[LABEL.role] === 'worker');
}
