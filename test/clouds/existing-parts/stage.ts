/** A simulated cloud in which somebody else has something, and the claims of a team that uses it. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { at, isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import { createEngine, type Engine } from '#simulator/engine.ts';
import { compositions, definitions } from '../../../cli/files/repository.ts';
import { EVERY_VERSION } from '../../support/every-version.ts';
import { inProcess } from '../../support/in-process.ts';
import { type CloudCase, foreignObject, OWNER, type PartCase, type Seen, seenIn } from './case.ts';

/** Of the team. */
export const NAMESPACE = 'team-a';

/** @param input  settings of the platform for Clusters */
export function engineWith(input: JsonObject): Engine {
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 0,
    functions: inProcess,
  });
  engine.load([...definitions(), ...compositions().map((one) => withInput(one, input)), EVERY_VERSION]);
  return engine;
}

function withInput(composition: KubeObject, more: JsonObject): KubeObject {
  const steps = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
  const pipeline = steps.map((step) => {
    const { input } = step;
    return isJsonObject(input) && input['kind'] === 'ClusterInput' ? { ...step, input: mergePatch(input, more) } : step;
  });
  return { ...composition, spec: { ...composition.spec, pipeline } };
}

/** Managed resources of a namespace. */
export const managedIn = (engine: Engine, namespace: string): readonly KubeObject[] =>
  SIMULATED_CLOUDS.flatMap(({ kinds }) => kinds.flatMap((kind) => engine.list(kind))).filter(
    ({ metadata }) => metadata?.namespace === namespace,
  );

/** What a team wrote to refer to something of the owner. */
export const isObserver = ({ metadata }: KubeObject): boolean => metadata?.labels?.['observes'] !== undefined;

/** Makes what the owner has, and returns how to look at it. */
export async function owned(engine: Engine, cloud: CloudCase, { owned: batches }: PartCase): Promise<Seen> {
  const ofOwner = () => managedIn(engine, OWNER);
  const seen = seenIn(engine, ofOwner);
  for (const batch of batches) {
    for (const foreign of batch(seen)) engine.apply(foreignObject(cloud, foreign));
    const isMade = () => ofOwner().every(({ status }) => at(status, 'atProvider', 'id') !== undefined);
    const { reached } = await engine.runUntil(isMade, { limitSeconds: engine.seconds + 900 });
    if (!reached) throw new Error('cannot begin: the owner does not get what it has');
  }
  return seen;
}

/** A Cluster, and a NodePool of one machine. @param spec  merged into that of the Cluster */
export function claims({ cloud }: CloudCase, spec: JsonObject): readonly KubeObject[] {
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
