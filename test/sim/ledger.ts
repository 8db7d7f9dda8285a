/**
 * How many machines may be created and deleted: what the best sequence needs after the last edit, deletion by hand or
 * failure. It is computed from the machines at that moment and the claim, without tuned numbers.
 */
import { isCompositeReady } from '#lib/api/conditions.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { ANNOTATION, LABEL } from '#lib/api/words.ts';
import { Broken } from './broken.ts';
import type { StepResult } from './crossplane.ts';
import { budgetOfPool } from './shown.ts';
import { isDoomed, isServing, type Life } from './machines.ts';
import { nameOf } from './observation.ts';
import { type Way, wayOf } from './ways.ts';
import type { World } from './world.ts';

interface Allowance {
  readonly created: number;
  readonly deleted: number;
}

export class Ledger {
  #turn: number;
  #goal = '';
  #allowed: Allowance;
  #created = 0;
  #deleted = 0;

  constructor(world: World) {
    this.#turn = world.turns;
    this.#allowed = needed(world);
    this.#goal = goalOf(world);
  }

  renew(world: World): void {
    const goal = goalOf(world);
    if (world.turns === this.#turn && goal === this.#goal) return;
    this.#turn = world.turns;
    this.#goal = goal;
    this.#allowed = needed(world);
    this.#created = 0;
    this.#deleted = 0;
  }

  book(result: StepResult): void {
    const { created, deleted } = result;
    this.#created += created.length;
    this.#deleted += deleted.length;
    const misjudged = misjudgedIn(result);
    this.#allowed = {
      created: this.#allowed.created + misjudged,
      deleted: this.#allowed.deleted + misjudged,
    };
    if (this.#created > this.#allowed.created)
      throw new Broken(
        `${this.#created} machines were made since the last turn, ${this.#allowed.created} are enough: ${created.join(', ')} came last`,
      );
    if (this.#deleted > this.#allowed.deleted)
      throw new Broken(
        `${this.#deleted} machines were let go since the last turn, ${this.#allowed.deleted} are enough: ${deleted.join(', ')} went last`,
      );
  }
}

/**
 * Ready machines that were observed as not ready: a function that deletes one of them cannot know, and creates another.
 */
function misjudgedIn({ before, deleted, view }: StepResult): number {
  const ready = new Set(view.machines.filter(isCompositeReady).map(nameOf));
  const served = (name: string): boolean => {
    const life = before.get(name);
    return life !== undefined && isServing(life);
  };
  return deleted.filter((name) => served(name) && !ready.has(name)).length;
}

/** Time alone may cause a restart. */
function goalOf({ goal }: World): string {
  const time = Date.parse(stringAt(goal.pool, 'spec', 'update', 'rolloutAfter') ?? '');
  return `${goal.version} ${time <= goal.now}`;
}

/**
 * Machines that match, or can be updated in place, stay; all others are replaced. One more if none may be unavailable
 * while others are updated.
 */
export function needed(world: World): Allowance {
  const replicas = Number(at(world.pool, 'spec', 'replicas'));
  const existing = [...world.lives.values()].filter(({ going }) => going === undefined);
  // A user wants to delete some of the surplus machines, whichever is best.
  const isWanted = ({ annotations }: Life): boolean =>
    existing.length <= replicas || !(ANNOTATION.deleteMachine in annotations);
  const usable = existing.filter((life) => isUsable(world, life) && isWanted(life));
  const { maxUnavailable, strategy } = budgetOfPool(world.pool);
  const disrupts = strategy !== 'OnDelete' && usable.some((life) => way(world, life) === 'Disruptive');
  const none = disrupts && maxUnavailable === 0;
  // If none may be unavailable while others are updated, one that is not ready at the moment may be deleted for
  // another.
  const counted = none ? usable.filter(isServing).length : placesOf(usable);
  // With two members, etcd can spare neither.
  const least = at(world.pool, 'spec', 'role') === 'control-plane' ? Math.max(replicas, 2) : replicas;
  const kept = counted - passedOver(world, usable, existing.length - replicas);
  const created = Math.max(0, replicas - kept) + Number(none && counted <= least);
  return { created, deleted: Math.max(0, existing.length + created - replicas) };
}

/**
 * If there are too many, those that do not match the claim are deleted first, however they could be changed: one that
 * would have been updated in place may be deleted instead of one that has to be replaced.
 */
function passedOver(world: World, usable: readonly Life[], surplus: number): number {
  return Math.min(Math.max(0, surplus), usable.filter((life) => way(world, life) !== 'Fits').length);
}

/** Two machines of one slot have the same place; one of them is deleted. */
function placesOf(lives: readonly Life[]): number {
  return new Set(lives.map(({ object }) => object.metadata?.labels?.[LABEL.slot])).size;
}

function isUsable(world: World, life: Life): boolean {
  if (isDoomed(life)) return false;
  const { strategy, fallback } = budgetOfPool(world.pool);
  return way(world, life) !== 'Replace' || strategy === 'OnDelete' || fallback === 'Hold';
}

function way(world: World, life: Life): Way {
  return wayOf(life.object, world.goal, world.made(life));
}
