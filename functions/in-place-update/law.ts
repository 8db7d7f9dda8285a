/**
 * What one response may remove, calculated only from the request and the response, without code of the planner. A
 * response that removes more is not returned. The budget is that of the current XR.
 */
import { isCompositeReady } from '#lib/api/conditions.ts';
import type { Group } from '#lib/api/contracts/group.ts';
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { counted } from '#lib/api/counted.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { GROUP } from '#lib/api/words.ts';
import { type Existing, groupKind, type Law, type Removal } from '#lib/fn/law.ts';
import type { InPlaceUpdateInput } from './input.ts';
import { storeOf } from './machine.ts';
import type { Budget } from './plan/room.ts';

const MACHINE = `${GROUP}/Machine`;

export interface Limits {
  readonly paused: boolean;
  readonly budget: Pick<Budget, 'replicas' | 'maxUnavailable'>;
  readonly received: Pick<Group, 'quorum' | 'leaving' | 'releases' | 'unobserved'>;
}

/**
 * Covers all objects of the kind, with or without a slot: an object without a known slot stays as well. Also Machines if
 * the kind is another one: the step before leaves it to this one to keep them.
 */
export function lawOfGroup({ select }: InPlaceUpdateInput, limits: Limits): Law {
  const ours = groupKind(select);
  return {
    answersFor: ({ object }) => groupKind(object) === ours || groupKind(object) === MACHINE,
    objection: (removal) =>
      removal.gone.some(({ object }) => groupKind(object) !== ours)
        ? `select is another kind: ${ours}`
        : (whilePaused(removal, limits) ?? withinBudget(removal, limits) ?? withinQuorum(removal, limits)),
  };
}

/** Scaling continues in a paused pool, and nothing else: what is surplus may go while as many stay as it asks for. */
function whilePaused({ gone, staying }: Removal, { paused, budget, received }: Limits): string | undefined {
  if (!paused) return undefined;
  const surplus = new Set(received.releases.filter(({ why }) => why === 'Surplus').map(({ name }) => name));
  const isSurplus = ({ key, object }: Existing): boolean => surplus.has(object.metadata?.name ?? key);
  return gone.every(isSurplus) && staying.length >= budget.replicas ? undefined : 'spec.paused is true';
}

function withinBudget({ gone, staying }: Removal, { budget, received }: Limits): string | undefined {
  const least = Math.max(0, budget.replicas - budget.maxUnavailable);
  const left = staying.filter(isServing).length;
  const serving = gone.filter(isServing).length;
  if (serving > 0 && left < least) return `only ${counted(left, 'ready machine')} would remain, required: ${least}`;
  const givenUp = new Set(received.releases.filter(({ why }) => why !== 'Surplus').map(({ name }) => name));
  const isGivenUp = ({ key, object }: Existing): boolean => givenUp.has(object.metadata?.name ?? key);
  // An object that is not ready may become ready again soon; one that was given up will not.
  const before = [...gone, ...staying].filter(hasServed).length + received.unobserved.length;
  const taken = gone.filter((one) => hasServed(one) && !isGivenUp(one)).length;
  if (taken > Math.max(0, before - least))
    return `only ${counted(before - taken, 'machine')} would remain, required: ${least}`;
  return undefined;
}

function withinQuorum({ gone, staying }: Removal, { received }: Limits): string | undefined {
  if (!received.quorum) return undefined;
  const members = `${storeOf(gone[0]?.object)} members`;
  if (gone.length + received.leaving + received.unobserved.length > 1) return `${members} are removed one at a time`;
  if (!gone.some(isNode)) return undefined;
  const voters = staying.filter(isNode);
  const well = voters.filter(isServing).length;
  if (well > voters.length / 2) return undefined;
  return `only ${well} of ${voters.length} ${members} would be healthy, which is not a majority`;
}

/** An object whose node is drained, or will be, counts as unavailable from the start of the update. */
function isServing({ object }: Existing): boolean {
  return isCompositeReady(object) && !isStopping(object);
}

function isStopping(object: Existing['object']): boolean {
  const id = stringAt(object, 'spec', 'update', 'id');
  if (id === undefined || at(object, 'spec', 'update', 'disruptive') === false) return false;
  return stringAt(object, 'status', 'update', 'id') !== id || !hasEnded(stringAt(object, 'status', 'update', 'phase'));
}

function hasServed(one: Existing): boolean {
  return isCompositeReady(one.object) || isNode(one);
}

/** Whether it ever became a node; objects of other kinds count as nodes. */
function isNode({ object }: Existing): boolean {
  return object.kind !== 'Machine' || at(object, 'status', 'nodeRef') !== undefined;
}
