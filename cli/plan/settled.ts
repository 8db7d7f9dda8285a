/**
 * The state some time after one response of the pool's pipeline was applied, if nothing fails: everything in progress
 * advances by one stage. A removed machine is being deleted, then gone; a new one exists, then is ready; an update
 * runs, then is complete.
 */
import { availableAt, conditionOf } from '#lib/api/conditions.ts';
import { at, type Json, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { CONDITION, LABEL } from '#lib/api/words.ts';
import type { Rendered } from '#simulator/render/render-once.ts';
import { find, isGoing, isSlipway, nameOf, type PlanWorld, withObjects } from './world.ts';

export interface Present {
  readonly world: PlanWorld;
  readonly pool: KubeObject;
}

/** Duration of a pass, so that machines created by different calls differ in age. */
const SECOND = 1000;

/**
 * A lost machine stays lost, and a failed update stays failed; a machine that is not ready becomes ready.
 * @returns undefined if nothing changes
 */
export function settled({ world, pool }: Present, rendered: Rendered): Present | undefined {
  const now = new Date(world.now.getTime() + SECOND);
  const minReady = Number(at(pool, 'spec', 'update', 'minReadySeconds') ?? 0);
  const own = world.objects.filter((object) => isMachine(object) && isOf(object, pool));
  const before = new Map(own.map((one) => [nameOf(one), one]));
  const machines = rendered.composed
    .filter(isMachine)
    .map((machine) => come(machine, before.get(nameOf(machine)), { now, minReady }));
  const staying = new Set(machines.map(nameOf));
  const going = rendered.deleted
    .filter((one) => isMachine(one) && !isGoing(one))
    .flatMap((one) => leave(before.get(nameOf(one)), now));
  const mine = new Set(own);
  const others = world.objects.filter((object) => !mine.has(object));
  const refs = at(rendered.composite, 'spec', 'crossplane', 'resourceRefs') as Json;
  const crossplane = { ...(pool.spec?.['crossplane'] as JsonObject | undefined), resourceRefs: refs };
  const next = { ...pool, spec: { ...pool.spec, crossplane }, status: { ...rendered.composite.status } };
  const same =
    own.every((one) => staying.has(nameOf(one))) &&
    sameJson(pool.status ?? {}, next.status) &&
    machines.every((machine) => isSame(machine, before.get(nameOf(machine))));
  if (same) return undefined;
  return { world: withObjects({ ...world, now, objects: [...others, ...going] }, [next, ...machines]), pool: next };
}

/** Machines of the pool that are not being deleted. */
export function machinesOf({ world, pool }: Present): readonly KubeObject[] {
  const live = find(world, { kind: 'NodePool', namespace: pool.metadata?.namespace, name: nameOf(pool) }) ?? pool;
  const refs = at(live, 'spec', 'crossplane', 'resourceRefs');
  const names = new Set((Array.isArray(refs) ? refs : []).map((ref: unknown) => stringAt(ref, 'name')));
  return world.objects.filter((one) => isMachine(one) && !isGoing(one) && isOf(one, pool) && names.has(nameOf(one)));
}

function isMachine(object: KubeObject): boolean {
  return isSlipway(object, 'Machine');
}

/** Includes machines that are being deleted, which the pool no longer refers to. */
function isOf({ metadata }: KubeObject, pool: KubeObject): boolean {
  return metadata?.namespace === pool.metadata?.namespace && metadata?.labels?.[LABEL.nodePool] === nameOf(pool);
}

function leave(machine: KubeObject | undefined, now: Date): readonly KubeObject[] {
  if (machine === undefined) return [];
  return [{ ...machine, metadata: { ...machine.metadata, deletionTimestamp: now.toISOString() } }];
}

function isSame(machine: KubeObject, before: KubeObject | undefined): boolean {
  return before !== undefined && sameJson(machine.spec ?? {}, before.spec ?? {}) && machine.status === before.status;
}

function come(machine: KubeObject, before: KubeObject | undefined, times: Times): KubeObject {
  const { creationTimestamp = times.now.toISOString(), uid } = before?.metadata ?? {};
  const metadata = { ...machine.metadata, creationTimestamp, ...(uid === undefined ? {} : { uid }) };
  return { ...machine, metadata, status: statusOf(machine, before, times) };
}

interface Times {
  readonly now: Date;
  /** Seconds a machine must have been ready to count as available. */
  readonly minReady: number;
}

function statusOf(machine: KubeObject, before: KubeObject | undefined, { now, minReady }: Times): JsonObject {
  if (before === undefined) return {};
  const status = before.status ?? {};
  const id = stringAt(machine, 'spec', 'update', 'id');
  if (isLost(before) || hasFailed(status, id)) return status;
  if (isDone(machine, status, id))
    return (availableAt(before, minReady) ?? Infinity) <= now.getTime() ? status : { ...status, conditions: [READY] };
  // Calls happen more often than a machine takes to start.
  const isNode = at(status, 'nodeRef') !== undefined;
  if (!isNode && stringAt(status, 'phase') !== COMING) return { ...status, phase: COMING };
  const version = at(machine, 'spec', 'version');
  const begins = id !== undefined && stringAt(status, 'update', 'id') !== id;
  if (begins) {
    const ready = at(machine, 'spec', 'update', 'disruptive') === true ? DRAINED : READY;
    return { ...status, conditions: [ready], update: { id, phase: 'Running' } };
  }
  return {
    ...status,
    conditions: [READY],
    nodeRef: { name: nameOf(machine) },
    ...(version === undefined ? {} : { version }),
    ...(id === undefined ? {} : { update: { id, phase: 'Succeeded' } }),
  };
}

const COMING = 'Provisioning';

/** For long enough to count as available. */
const READY = { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2000-01-01T00:00:00Z' };
const DRAINED = { ...READY, status: 'False', reason: 'Creating' };

function isLost(machine: KubeObject): boolean {
  return conditionOf(machine, CONDITION.nodeHealthy)?.reason === 'MachineLost';
}

function hasFailed(status: JsonObject, id: string | undefined): boolean {
  return (
    id !== undefined && stringAt(status, 'update', 'id') === id && stringAt(status, 'update', 'phase') === 'Failed'
  );
}

function isDone(machine: KubeObject, status: JsonObject, id: string | undefined): boolean {
  const phase = stringAt(status, 'update', 'phase');
  const updated = id === undefined || (stringAt(status, 'update', 'id') === id && phase === 'Succeeded');
  const ready = conditionOf({ apiVersion: '', kind: '', status }, 'Ready')?.status === 'True';
  return (
    updated &&
    ready &&
    at(status, 'nodeRef') !== undefined &&
    stringAt(status, 'version') === stringAt(machine, 'spec', 'version')
  );
}
