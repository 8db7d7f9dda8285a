/** What `slipway plan` says of an act, and whether it happens. */
import type { KubeObject } from '#lib/api/json.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { definitions } from '../../cli/files/repository.ts';
import type { PlanEntry } from '../../cli/plan/entry.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { observedObjects } from '../../cli/simulate/save.ts';
import { differing } from '../plan/compare.ts';
import { fatesOf } from '../plan/happened.ts';
import { inProcess } from '../support/in-process.ts';
import { differentIn } from './end.ts';
import { type Act, type Claims, CONTROL_PLANE, POOL, written } from './life.ts';
import { compositionsWith, environmentConfig } from './platform.ts';
import { machinesOf, type Part, PARTS, partRef } from './scene.ts';
import type { Watch } from './watch.ts';

export interface Forecast {
  /**
   * At rest: how the plan differs from what happened, in lines.
   * @param stored  what the API server accepted
   */
  readonly differences: (stored: readonly Part[]) => readonly string[];
}

/** @param isAlone  whether nothing else is under way: then every machine is compared, and not only what is refused */
export async function forecastOf(
  engine: Engine,
  { writes }: Watch,
  { act, after, isAlone }: { readonly act: Act; readonly after: Claims; readonly isAlone: boolean },
): Promise<Forecast | undefined> {
  if (act.deletes !== undefined || act.limits !== undefined || act.platform !== undefined) return undefined;
  const parts = PARTS.filter((part) => act[part] !== undefined && engine.get(partRef(part)) !== undefined);
  const claims = parts.map((part) => written(partRef(part), after[part]));
  const entries = await planClaims(
    {
      objects: [...observedObjects(engine), environmentConfig(after.platform)],
      definitions: definitions(),
      compositions: compositionsWith(after.limits),
      functions: inProcess,
      now: engine.now,
    },
    claims,
  );
  const pools = [CONTROL_PLANE.name, POOL.name];
  const before = new Map(pools.map((pool) => [pool, machinesOf(engine, pool)]));
  const since = writes.length;
  const differencesIn = (pool: string): readonly string[] => {
    const now = machinesOf(engine, pool);
    const made = writes
      .slice(since)
      .flatMap(({ change, ref }) => (change === 'created' && ref.kind === 'Machine' ? [ref.name] : []));
    const held = new Set(differentIn(engine, pool).map(nameOf));
    const own = entries.filter((one) => one.pool === pool);
    const happened = fatesOf(pool, { before: before.get(pool) ?? [], now, made, held });
    // A hold of the whole pool is told once, and not for each machine; an older hold, not for an edit of another claim.
    const isTold = own.some(({ kind, decision }) => kind === 'NodePool' && decision === 'Hold');
    const isEdited = act.cluster !== undefined || pool === POOL.name;
    return differing(own, isTold || !isEdited ? { ...happened, held: [] } : happened, pool);
  };
  return {
    differences(stored) {
      const isRefused = entries.some(({ decision }) => decision === 'Refused');
      const refusals = parts.flatMap((part) => differentRefusal(engine, entries, partRef(part), stored.includes(part)));
      return refusals.length > 0 || isRefused || !isAlone ? refusals : pools.flatMap(differencesIn);
    },
  };
}

function differentRefusal(
  engine: Engine,
  entries: readonly PlanEntry[],
  ref: ReturnType<typeof partRef>,
  isStored: boolean,
): readonly string[] {
  const said = entries.find(
    ({ kind, name, decision }) => kind === ref.kind && name === ref.name && decision === 'Refused',
  );
  const object = engine.get(ref);
  const did = object && conditionOf(object, CONDITION.claimAccepted);
  if ((said === undefined) === (isStored && did?.status !== 'False')) return [];
  return said === undefined
    ? [`${ref.kind} ${ref.name}: the plan accepts what is refused: ${did?.message ?? ''}`]
    : [`${ref.kind} ${ref.name}: the plan refuses what is accepted: ${said.reason}`];
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}
