/** A small cluster on the simulated cloud, with functions and providers that can be made unavailable for a while. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { createEngine, type Engine } from '#simulator/engine.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { inProcess } from '../support/in-process.ts';

export const NAMESPACE = 'team-a';
export const CLUSTER = { apiVersion: API_VERSION, kind: 'Cluster', namespace: NAMESPACE, name: 'prod' };
export const POOL = { apiVersion: API_VERSION, kind: 'NodePool', namespace: NAMESPACE, name: 'prod-general' };

export const CONTROL_PLANE = { ...POOL, name: 'prod-control-plane' };

export interface Stage {
  readonly engine: Engine;
  /** Makes the functions unavailable for some seconds. */
  readonly silence: (seconds: number) => void;
}

export function aStage(seed: number, controlPlanes: number): Stage {
  let silentUntil = 0;
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed,
    functions: (name) => ({
      run: (request, options) =>
        engine.seconds < silentUntil
          ? Promise.reject(new Error(`cannot call function "${name}": connection refused`))
          : inProcess(name).run(request, options),
    }),
    faults: { rateLimits: 0.05, slowObjects: 0.1 },
  });
  engine.load([
    ...definitions(),
    ...compositions(),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  ]);
  engine.apply(
    aClaim('Cluster', CLUSTER.name, { ...SHAPE, controlPlane: { replicas: controlPlanes, machine: SMALL } }),
  );
  engine.apply(aPool());
  return { engine, silence: (seconds) => (silentUntil = engine.seconds + seconds) };
}

export const SMALL = { class: 'standard-2' };
export const SHAPE = { version: 'v1.35.4', region: 'eu-west' };

/** The worker pool, as it is or after an edit. */
export function aPool(spec: JsonObject = {}): KubeObject {
  const shape = { clusterRef: { name: CLUSTER.name }, replicas: 2, machine: { class: 'standard-4' } };
  return aClaim('NodePool', POOL.name, { ...shape, ...spec });
}

export function aClaim(kind: string, name: string, spec: JsonObject): KubeObject {
  const selector = { matchLabels: { 'slipway.dev/flavor': 'aws' } };
  return {
    apiVersion: API_VERSION,
    kind,
    metadata: { name, namespace: NAMESPACE },
    spec: { crossplane: { compositionSelector: selector }, ...spec },
  };
}
