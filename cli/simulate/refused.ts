/**
 * Claims of a simulation that the API server refuses: all of them are named before anything is simulated, in the words of
 * slipway validate.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import type { Callable } from '../callable.ts';
import { RefusedClaims } from '../exit.ts';
import { byApi, judge, linesOf, placed } from '../validate/findings.ts';
import type { PlanWorld } from '../plan/world.ts';
import type { Places } from '../plan/places.ts';

/** What claims are judged by, without the functions. */
export type World = Omit<PlanWorld, 'functions'>;

/** @param world  with every object of the files that is not a claim */
export function isAnyRefused(world: World, claims: readonly KubeObject[]): boolean {
  return claims.some((claim) => byApi(world, claim).refused.length > 0);
}

/** Everything that is refused, by the functions as well. */
export async function refusalOf(
  world: World,
  claims: readonly KubeObject[],
  { caller }: Callable,
  written: Places,
): Promise<RefusedClaims> {
  const { refused } = await judge({ ...world, functions: caller }, claims);
  return new RefusedClaims(linesOf(placed(refused, written)));
}

/** Applies an edit. Throws RefusedClaims, in the same words, for a claim that the API server refuses. */
export function applyEdit(engine: Engine, world: World, object: KubeObject, written: Places): void {
  const live = engine.list(object).find(({ metadata }) => isSame(metadata, object.metadata));
  try {
    engine.apply(object);
  } catch (thrown) {
    const refused = isOurs(object) ? byApi(world, object, live).refused : [];
    throw refused.length === 0 ? thrown : new RefusedClaims(linesOf(placed(refused, written)));
  }
}

function isSame(one: KubeObject['metadata'], other: KubeObject['metadata']): boolean {
  return one?.name === other?.name && one?.namespace === other?.namespace;
}

/** Whether an object has a kind whose words are known. */
export function isOurs({ apiVersion }: KubeObject): boolean {
  return apiVersion === API_VERSION;
}
