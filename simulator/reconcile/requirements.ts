/** Objects that a function requires: they are fetched, and its call is repeated until it requires nothing new. */
import { messageOf } from '#lib/api/errors.ts';
import { type KubeObject, sameJson } from '#lib/api/json.ts';
import type { Request, Selector } from '#lib/fn/request.ts';
import type { FunctionAnswer } from '#lib/wire/answer.ts';

/** How often a function may require something new; Crossplane calls it once more than that. */
const MAX_ROUNDS = 5;

/** Fetches the objects of a selector: at most one by name, any number by labels, sorted. */
export type Fetch = (selector: Selector) => readonly KubeObject[];

/**
 * Calls a function until two responses in a row require the same, or it returns a fatal result. Each round starts from
 * the same request, with the required objects and the context of the previous response.
 * @param mayEndAtOnce  whether the first call is the last if the request already had all that it requires
 */
export async function runWithRequirements(
  call: (request: Request, round: number) => Promise<FunctionAnswer>,
  request: Request,
  fetch: Fetch,
  mayEndAtOnce: boolean,
): Promise<FunctionAnswer> {
  const given = request.required;
  let next = request;
  let asked: ReadonlyMap<string, Selector> = new Map();
  for (let round = 1; round <= MAX_ROUNDS + 1; round++) {
    const answer = await call(next, round);
    if (answer.results.some(({ severity }) => severity === 'Fatal')) return answer;
    if (isSame(answer.requirements, asked)) return answer;
    asked = answer.requirements;
    const fetched = [...asked]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, selector]): [string, readonly KubeObject[]] => [name, fetchNamed(fetch, name, selector)]);
    const required = new Map([...given, ...fetched]);
    if (mayEndAtOnce && round === 1 && isSame(required, given)) return answer;
    next = { ...request, context: answer.context, required };
  }
  throw new Error(`requirements didn't stabilize after the maximum number of iterations (${MAX_ROUNDS})`);
}

function fetchNamed(fetch: Fetch, name: string, selector: Selector): readonly KubeObject[] {
  try {
    return fetch(selector);
  } catch (thrown) {
    const cause = messageOf(thrown);
    const verb = selector.matchName === undefined ? 'list required resources' : 'get required resource by name';
    throw new Error(`fetching resources for ${name}: cannot ${verb}: ${cause}`, { cause: thrown });
  }
}

function isSame(left: ReadonlyMap<string, unknown>, right: ReadonlyMap<string, unknown>): boolean {
  return sameJson(Object.fromEntries(left), Object.fromEntries(right));
}
