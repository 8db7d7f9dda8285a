/** A pool that is not complete and does nothing must say in a condition what it waits for. */
import { at, stringAt } from '#lib/api/json.ts';
import { Broken } from './broken.ts';
import { isServing } from './machines.ts';
import { wayOf } from './ways.ts';
import type { World } from './world.ts';

/** Steps without changes: six minutes. */
const QUIET_STEPS = 24;

/** A machine, a budget or a field, the control plane. */
const NAMED =
  /general-[0-9]+-|max(Surge|Unavailable|Unhealthy|Retry|InFlight)|\b(spec|update|health)\.|paused|control plane/;

export function neverSilent(world: World): void {
  if (world.tick - world.moved < QUIET_STEPS || isComplete(world)) return;
  const messages = conditionsOf(world).flatMap((one) => stringAt(one, 'message') ?? []);
  if (messages.some((message) => NAMED.test(message))) return;
  throw new Broken(
    `nothing happens for ${QUIET_STEPS} steps, and no condition names what it waits for: ${messages.join(' | ')}`,
  );
}

export function conditionsOf(world: World): readonly unknown[] {
  const list = at(world.pool, 'status', 'conditions');
  return Array.isArray(list) ? list : [];
}

/** The wanted number of machines, all of them up to date and ready. */
export function isComplete(world: World): boolean {
  const lives = [...world.lives.values()];
  return (
    lives.length === at(world.pool, 'spec', 'replicas') &&
    lives.every((life) => isServing(life) && wayOf(life.object, world.goal, world.made(life)) === 'Fits')
  );
}
