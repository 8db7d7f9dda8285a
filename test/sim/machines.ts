/**
 * Machines as a pool sees them, played by their contract: they come up after a while or never, their nodes flap, they
 * carry orders to update out or fail, they are drained before they are gone.
 */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Chance } from './chance.ts';

/** Shares of machines and steps that go wrong; all 0: everything goes well. */
export interface Faults {
  /** A machine never becomes a node, and is given up as lost after a while. */
  readonly neverUp: number;
  /** A ready node stops being ready for a few steps. */
  readonly flaps: number;
  /** The cloud lets everything that it does for a machine wait. */
  readonly slow: number;
  /** An update in place fails on a machine. */
  readonly failedUpdates: number;
  /** The pool is not reconciled in a step, or Crossplane is cut off before it applied anything. */
  readonly skipped: number;
  /** Crossplane reads what its cache knew one step ago. */
  readonly stale: number;
}

export const CALM: Faults = { neverUp: 0, flaps: 0, slow: 0, failedUpdates: 0, skipped: 0, stale: 0 };
export const ROUGH: Faults = {
  neverUp: 0.05,
  flaps: 0.02,
  slow: 0.2,
  failedUpdates: 0.04,
  skipped: 0.15,
  stale: 0.15,
};

/** One Machine and what is really the matter with it. */
export interface Life {
  readonly object: KubeObject;
  /** Steps until it is a node; infinite: it never becomes one. */
  comesUp: number;
  /** Steps until its node is ready again. */
  down: number;
  lost: boolean;
  isNode: boolean;
  update: { readonly id: string; phase: string; left: number } | undefined;
  /** Steps until it is gone; undefined: nobody deleted it. */
  going: number | undefined;
}

/** Steps. */
const BIRTH = [1, 3] as const;
const GIVEN_UP = 8;
const DRAIN = [1, 2] as const;
const SLOWER = 3;

export function born(object: KubeObject, chance: Chance, faults: Faults): Life {
  const slower = chance.happens(faults.slow) ? SLOWER : 1;
  const comesUp = chance.happens(faults.neverUp) ? Infinity : chance.between(...BIRTH) * slower;
  return { object, comesUp, down: 0, lost: false, isNode: false, update: undefined, going: undefined };
}

/** One step of a machine's own life. Returns what happened, in words. */
export function live(life: Life, age: number, chance: Chance, faults: Faults): string | undefined {
  if (life.going !== undefined) {
    life.going -= 1;
    return undefined;
  }
  if (!life.isNode) return boot(life, age);
  if (life.down > 0) life.down -= 1;
  else if (chance.happens(faults.flaps)) {
    life.down = chance.between(1, 3);
    return 'stops being ready';
  }
  return carryOut(life, chance, faults);
}

function boot(life: Life, age: number): string | undefined {
  life.comesUp -= 1;
  if (life.comesUp <= 0) {
    life.isNode = true;
    return 'is ready';
  }
  if (life.comesUp !== Infinity || age < GIVEN_UP || life.lost) return undefined;
  life.lost = true;
  return 'is lost';
}

/** Updates: an order is taken up, and goes through its phases to its end. */
function carryOut(life: Life, chance: Chance, faults: Faults): string | undefined {
  const order = at(life.object, 'spec', 'update');
  const id = stringAt(order, 'id');
  if (id === undefined) return undefined;
  const { update } = life;
  if (update === undefined || (update.id !== id && hasEnded(update.phase))) {
    life.update = { id, phase: 'Pending', left: 1 };
    return undefined;
  }
  if (update.id !== id && update.phase === 'Pending') life.update = { id, phase: 'Pending', left: 1 };
  if (hasEnded(update.phase)) return undefined;
  update.left -= 1;
  if (update.left > 0) return undefined;
  update.phase = next(update.phase, at(order, 'disruptive') === true, chance.happens(faults.failedUpdates));
  update.left = chance.between(...DRAIN);
  if (update.phase === 'Succeeded') return 'is updated';
  return update.phase === 'Failed' ? 'fails to update' : undefined;
}

function next(phase: string, disruptive: boolean, fails: boolean): string {
  if (phase === 'Pending') return disruptive ? 'Draining' : 'Running';
  if (phase === 'Draining') return 'Running';
  return fails ? 'Failed' : 'Succeeded';
}

/** Whether its node serves pods. */
export function isServing({ isNode, down, lost, update, object, going }: Life): boolean {
  if (!isNode || lost || down > 0 || going !== undefined) return false;
  if (update === undefined) return true;
  const disruptive = at(object, 'spec', 'update', 'disruptive') === true;
  return !disruptive || (update.phase !== 'Draining' && update.phase !== 'Running' && update.phase !== 'Failed');
}

/** The Machine as the API server shows it. @param at  its time, ISO 8601 */
export function shown(life: Life, created: string, now: string): KubeObject {
  const { object, update, lost, isNode, going } = life;
  const ready = isServing({ ...life, going: undefined });
  const name = object.metadata?.name ?? '';
  const status: JsonObject = {
    ...(isNode ? { nodeRef: { name }, version: stringAt(object, 'spec', 'version') ?? '' } : {}),
    ...(update === undefined ? {} : { update: { id: update.id, phase: update.phase } }),
    conditions: [
      condition('Ready', ready, ready ? 'Available' : 'Creating', created),
      condition('Synced', true, 'ReconcileSuccess', created),
      condition('NodeHealthy', ready, lost ? 'MachineLost' : ready ? 'NodeHealthy' : 'NodeNotHealthy', created),
    ],
  };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      name,
      uid: `uid-${name}`,
      creationTimestamp: created,
      ownerReferences: [{ uid: 'pool-uid' }],
      ...(going === undefined ? {} : { deletionTimestamp: now }),
    },
    status,
  };
}

function condition(type: string, holds: boolean, reason: string, lastTransitionTime: string): JsonObject {
  return { type, status: holds ? 'True' : 'False', reason, lastTransitionTime };
}
