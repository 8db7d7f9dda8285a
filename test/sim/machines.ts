/**
 * Machines as a pool observes them, simulated by their contract: they become ready after a while or never, their nodes
 * flap, they carry out updates or fail, and they are drained before they are gone.
 */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';

/** One Machine and its real state. */
export interface Life {
  object: KubeObject;
  /** Tick. */
  readonly createdAt: number;
  /** Annotations that a user wrote. */
  annotations: Readonly<Record<string, string>>;
  /** Steps until it is a node; infinite: it never becomes one. */
  comesUp: number;
  /** Whether the cloud loses it if it never becomes a node; otherwise it just never registers. */
  readonly losable: boolean;
  /** Steps until its node is ready again. */
  down: number;
  lost: boolean;
  /** Its node is not ready and never will be. */
  sick: boolean;
  /** It has been unhealthy for so long that the pool counts it as unhealthy. */
  ill: boolean;
  /** It did not become a node within the pool's `nodeStartupTimeout`. */
  late: boolean;
  isNode: boolean;
  update: { readonly id: string; phase: string; left: number } | undefined;
  /** Steps until it is gone; undefined: it was not deleted. */
  going: number | undefined;
  /** Tick at which it last became ready or stopped being ready. */
  since: number;
  /** Tick at which its node last became ready or stopped being ready. */
  nodeSince: number;
}

/** Steps. */
const STEPS_TO_BOOT = [1, 3] as const;
const GIVEN_UP = 8;
const DRAIN = [1, 2] as const;
const SLOWER = 3;

/** A machine with an image that does not boot never becomes a node. */
export const BROKEN_IMAGE = 'ubuntu-broken';

export function newLife(object: KubeObject, tick: number, chance: Chance, faults: Faults): Life {
  const slower = chance.happens(faults.slow) ? SLOWER : 1;
  const never = chance.happens(faults.neverUp);
  const broken = hasBrokenImage(object);
  return {
    object,
    createdAt: tick,
    annotations: {},
    comesUp: never || broken ? Infinity : chance.between(...STEPS_TO_BOOT) * slower,
    losable: never && chance.happens(0.5),
    down: 0,
    lost: false,
    sick: false,
    ill: false,
    late: false,
    isNode: false,
    update: undefined,
    going: undefined,
    since: tick,
    nodeSince: tick,
  };
}

export function hasBrokenImage(object: KubeObject): boolean {
  return stringAt(object, 'spec', 'machine', 'image') === BROKEN_IMAGE;
}

/** One step in the life of a machine. Returns what happened, as text. */
export function live(life: Life, tick: number, chance: Chance, faults: Faults): string | undefined {
  const before = [isUp(life), isNodeReady(life)];
  const happened = go(life, tick, chance, faults);
  if (isUp(life) !== before[0]) life.since = tick;
  if (isNodeReady(life) !== before[1]) life.nodeSince = tick;
  return happened;
}

function go(life: Life, tick: number, chance: Chance, faults: Faults): string | undefined {
  if (life.going !== undefined) {
    life.going -= 1;
    return undefined;
  }
  if (!life.isNode) return boot(life, tick - life.createdAt);
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
  if (life.comesUp !== Infinity || !life.losable || age < GIVEN_UP || life.lost) return undefined;
  life.lost = true;
  return 'is lost';
}

/** Updates: a request is accepted, and goes through its phases to its end. */
function carryOut(life: Life, chance: Chance, faults: Faults): string | undefined {
  const order = at(life.object, 'spec', 'update');
  const id = stringAt(order, 'id');
  if (id === undefined) return undefined;
  const { update } = life;
  if (update === undefined || (update.id !== id && (hasEnded(update.phase) || update.phase === 'Pending'))) {
    life.update = { id, phase: 'Pending', left: 1 };
    return undefined;
  }
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

/** Whether its node runs pods, and it is not being deleted. */
export function isServing(life: Life): boolean {
  return life.going === undefined && isUp(life);
}

/** A machine that is drained, or whose update failed, is still ready: it is only cordoned. */
export function isNodeReady(life: Life): boolean {
  const { isNode, down, lost, sick, update } = life;
  return isNode && !lost && !sick && down === 0 && !(isDisruptive(life) && update?.phase === 'Running');
}

function isDisruptive({ object }: Life): boolean {
  return at(object, 'spec', 'update', 'disruptive') === true;
}

function isUp(life: Life): boolean {
  const { isNode, down, lost, sick, update } = life;
  if (!isNode || lost || sick || down > 0) return false;
  return (
    !isDisruptive(life) || (update?.phase !== 'Draining' && update?.phase !== 'Running' && update?.phase !== 'Failed')
  );
}
/** It will not become ready again, or is not meant to. */
export function isDoomed({ lost, ill, late, annotations, going }: Life): boolean {
  return going !== undefined || lost || ill || late || ANNOTATION.remediateMachine in annotations;
}

/**
 * The Machine as the API server returns it.
 * @param stamp  time of a tick, ISO 8601
 */
export function shown(life: Life, now: number, stamp: (tick: number) => string): KubeObject {
  const { object, update, lost, isNode, going } = life;
  const [ready, nodeReady] = [isUp(life), isNodeReady(life)];
  const name = object.metadata?.name ?? '';
  const annotations = { ...object.metadata?.annotations, ...life.annotations };
  const since = stamp(life.since);
  const status: JsonObject = {
    ...(isNode ? { nodeRef: { name }, version: stringAt(object, 'spec', 'version') ?? '' } : {}),
    ...(update === undefined ? {} : { update: { id: update.id, phase: update.phase } }),
    conditions: [
      condition('Ready', ready, ready ? 'Available' : 'Creating', since),
      condition('Synced', true, 'ReconcileSuccess', since),
      condition('NodeHealthy', nodeReady, whyNode(nodeReady, lost), stamp(life.nodeSince)),
    ],
  };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      name,
      uid: uidOf(name, life),
      creationTimestamp: stamp(life.createdAt),
      ownerReferences: [{ uid: 'pool-uid', controller: true }],
      ...(going === undefined ? {} : { deletionTimestamp: stamp(now) }),
    },
    status,
  };
}

function whyNode(ready: boolean, lost: boolean): string {
  if (lost) return 'MachineLost';
  return ready ? 'NodeHealthy' : 'NodeNotHealthy';
}

/** An update request whose end was not reported. */
export function isUpdating({ object, update }: Life): boolean {
  const id = stringAt(object, 'spec', 'update', 'id');
  return id !== undefined && !(update?.id === id && hasEnded(update.phase));
}

export function uidOf(name: string, { createdAt: tick }: Life): string {
  return `uid-${name}-${tick}`;
}

function condition(type: string, holds: boolean, reason: string, lastTransitionTime: string): JsonObject {
  return { type, status: holds ? 'True' : 'False', reason, lastTransitionTime };
}
