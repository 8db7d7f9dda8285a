/** Slipway on the simulated cloud, and what people do there. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { isCompositeReady } from '#lib/api/conditions.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { createEngine, type Engine, type ObjectRef } from '#simulator/engine.ts';
import { definitions } from '../../cli/files/repository.ts';
import { inProcess } from '../support/in-process.ts';
import { type Act, type Claims, CLUSTER, CONTROL_PLANE, POOL, written } from './life.ts';
import { compositionsWith, environmentConfig, NAMESPACE } from './platform.ts';

export type Part = 'cluster' | 'pool';
export const PARTS: readonly Part[] = ['cluster', 'pool'];

const REFS = { cluster: CLUSTER, pool: POOL } as const;

export function aScene(seed: number, claims: Claims): Engine {
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed,
    functions: inProcess,
  });
  engine.load([
    ...definitions(),
    ...compositionsWith(claims.limits),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  ]);
  engine.apply(environmentConfig(claims.platform));
  for (const part of PARTS) engine.apply(written(REFS[part], claims[part]));
  return engine;
}

/** What is applied at one moment. */
export function applyPlatform(engine: Engine, before: Claims, after: Claims): void {
  if (!sameJson(before.limits, after.limits))
    for (const composition of compositionsWith(after.limits)) engine.apply(composition);
  if (!sameJson(before.platform, after.platform)) engine.apply(environmentConfig(after.platform));
}

/** @returns whether the API server accepted it */
export function applyPart(engine: Engine, part: Part, spec: JsonObject): boolean {
  try {
    engine.apply(written(REFS[part], spec));
    return true;
  } catch (thrown) {
    if (thrown instanceof SlipwayError && thrown.code === 'InvalidClaim') return false;
    throw thrown;
  }
}

/** What is deleted by hand; undefined if it is not there. */
export function deletedBy(engine: Engine, deletes: Act['deletes']): ObjectRef | undefined {
  if (deletes === undefined) return undefined;
  if (deletes === 'pool') return engine.get(POOL) === undefined ? undefined : POOL;
  const pool = deletes === 'worker' ? POOL : CONTROL_PLANE;
  const machines = machinesOf(engine, pool.name);
  // Without a majority of its members, a cluster is lost for good.
  const isLost = pool === CONTROL_PLANE && (machines.length < 3 || !machines.every(serves));
  if (isLost) return undefined;
  const first = machines.find(({ metadata }) => metadata?.deletionTimestamp === undefined);
  return first === undefined ? undefined : { ...CLUSTER, kind: 'Machine', name: first.metadata?.name ?? '' };
}

function serves(machine: KubeObject): boolean {
  return machine.metadata?.deletionTimestamp === undefined && isCompositeReady(machine);
}

/** By name. */
export function machinesOf(engine: Engine, pool: string): readonly KubeObject[] {
  const labels = { [LABEL.nodePool]: pool };
  return engine.list({ apiVersion: CLUSTER.apiVersion, kind: 'Machine', namespace: NAMESPACE, labels });
}

export function partRef(part: Part): typeof CLUSTER {
  return REFS[part];
}
