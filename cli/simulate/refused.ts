/**
 * Claims of a simulation that the API server refuses, or that no Composition fits: all of them are named before anything
 * is simulated, in the words of slipway validate.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import type { Callable } from '../callable.ts';
import { RefusedClaims } from '../exit.ts';
import { withOption } from '../files/namespaces.ts';
import { placesText } from '../files/place.ts';
import { byApi, judge, linesOf, placed } from '../validate/findings.ts';
import { compositionFor } from '../plan/composition.ts';
import { isClaim } from '../plan/plan-claims.ts';
import { isOfProviderNode, type PlanWorld } from '../plan/world.ts';
import { fieldIn, type Places } from '../plan/places.ts';

/** What claims are judged by, without the functions. */
export type World = Omit<PlanWorld, 'functions'>;

/** @param world  with every object of the files that is not a claim */
export function isAnyRefused(world: World, claims: readonly KubeObject[]): boolean {
  return (
    [...claims, ...world.objects.filter(isJudged)].some((one) => byApi(world, one).refused.length > 0) ||
    claims.some((one) => isClaim(one) && !hasComposition(world, one))
  );
}

/** Without one, nothing would ever be composed. */
function hasComposition(world: World, claim: KubeObject): boolean {
  try {
    compositionFor(world, claim);
    return true;
  } catch (thrown) {
    if (thrown instanceof SlipwayError && thrown.code === 'MissingReference') return false;
    throw thrown;
  }
}

/** Everything that is refused, by the functions as well. */
export async function refusalOf(
  world: World,
  claims: readonly KubeObject[],
  { caller }: Callable,
  places: Places,
): Promise<RefusedClaims> {
  const { refused } = await judge({ ...world, functions: caller }, claims);
  return new RefusedClaims(linesOf(placed(refused, places)));
}

/** Applies an object of a file. Throws RefusedClaims, in the same words, for what the API server refuses. */
export function applyWritten(engine: Engine, world: World, object: KubeObject, places: Places): void {
  try {
    engine.apply(object);
  } catch (thrown) {
    const live = engine.list(object).find(({ metadata }) => isSame(metadata, object.metadata));
    const refused = isJudged(object) ? byApi(world, object, live).refused : [];
    throw refused.length === 0
      ? withPlace(thrown, object, places)
      : new RefusedClaims(linesOf(placed(refused, places)));
  }
}

/** Of an object that the API server knows from the start, such as a Secret. */
function withPlace(thrown: unknown, { kind, metadata }: KubeObject, places: Places): unknown {
  if (!(thrown instanceof SlipwayError) || thrown.code !== 'InvalidClaim') return thrown;
  const message = withOption(thrown.message);
  const field = fieldIn(message);
  const place = places.placeOf({
    kind,
    namespace: metadata?.namespace,
    name: metadata?.name ?? '',
    ...(field && { field }),
  });
  return new SlipwayError(thrown.code, message, {
    cause: thrown,
    ...(place && { hint: placesText([place]) }),
  });
}

function isSame(one: KubeObject['metadata'], other: KubeObject['metadata']): boolean {
  return one?.name === other?.name && one?.namespace === other?.namespace;
}

/** Whether an object has a kind whose words are known. */
function isJudged(object: KubeObject): boolean {
  return isOurs(object) || isOfProviderNode(object);
}

/** Whether an object is a claim, or what one composes. */
export function isOurs({ apiVersion }: KubeObject): boolean {
  return apiVersion === API_VERSION;
}
