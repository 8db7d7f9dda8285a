/** Whether a simulation has come to rest, asked after each of its steps: cheap, by the XRs alone. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { Engine } from '#lib/engine/engine.ts';
import { API_VERSION } from '#lib/api/words.ts';

/** Every XR is Ready and Synced, none is on its way out. */
export function allReady(engine: Engine): boolean {
  const all = ['Cluster', 'NodePool', 'Machine'].flatMap((kind) => engine.list({ apiVersion: API_VERSION, kind }));
  return (
    all.length > 0 &&
    all.every(
      (xr) =>
        conditionOf(xr, 'Ready')?.status === 'True' &&
        conditionOf(xr, 'Synced')?.status === 'True' &&
        xr.metadata?.deletionTimestamp === undefined,
    )
  );
}
