/** Runs a scenario with a seed, and calls the functions at every step with invalid requests. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { Chance } from '../sim/chance.ts';
import { randomFaults } from '../sim/faults.ts';
import { apply, actAtRandom } from '../sim/person.ts';
import { afterFirst } from '../sim/releases.ts';
import { AWS } from '../sim/flavours.ts';
import { SCENARIOS } from '../sim/scenarios.ts';
import { World } from '../sim/world.ts';
import { removalOf } from './judge.ts';
import { mutated } from './mutation.ts';

export interface Tried {
  readonly seed: number;
  /** Requests that were answered, refused, and refused by the law itself. */
  readonly answered: number;
  readonly refused: number;
  readonly unlawful: number;
  /** Machines released by responses. */
  readonly gone: number;
  /** The first response that broke the law, or call that crashed; undefined: none. */
  readonly broken: string | undefined;
  /** What the law refused first: the planner should have refused it. */
  readonly objection: string | undefined;
}

const STEPS = 40;
const EACH = 6;

const CASES = SCENARIOS.flatMap(({ cases }) => cases);

export async function tryBySeed(seed: number): Promise<Tried> {
  const chance = new Chance(seed);
  const one = CASES[seed % CASES.length]!;
  const world = new World(one.spec, AWS, chance, randomFaults(chance));
  const begin = chance.between(5, 25);
  const tally = { seed, answered: 0, refused: 0, unlawful: 0, gone: 0 };
  let objection: string | undefined;
  for (let step = 1; step <= STEPS; step += 1) {
    for (const edit of one.edits) if (begin + edit.at === step) apply(world, edit, chance);
    if (chance.happens(world.faults.byHand)) actAtRandom(world, chance);
    world.pass();
    await world.reconcile(true);
    for (let left = EACH; left > 0; left -= 1) {
      const tried = await asked(world, chance);
      tally.gone += tried.gone;
      tally[tried.how] += 1;
      if (tried.how === 'unlawful') objection ??= tried.why;
      if (tried.broken !== undefined) return { ...tally, broken: tried.broken, objection };
    }
  }
  return { ...tally, broken: undefined, objection };
}

interface Asked {
  readonly how: 'answered' | 'refused' | 'unlawful';
  readonly gone: number;
  readonly why?: string;
  readonly broken?: string;
}

async function asked(world: World, chance: Chance): Promise<Asked> {
  const now = { now: world.now, randomBytes: (length: number) => new Uint8Array(length) };
  const first = mutated(world.request(), chance);
  let second: Request = first;
  try {
    const reply = (await nodepool(first, now)).build();
    const asked = afterFirst(first, reply, AWS.rules);
    second = chance.happens(0.5) ? mutated(asked, chance) : asked;
    return judged(second, (await inPlaceUpdate(second, now)).build());
  } catch (thrown) {
    if (!(thrown instanceof SlipwayError) || thrown.code === 'Internal')
      return {
        how: 'refused',
        gone: 0,
        broken: `it crashed: ${thrown instanceof Error ? thrown.stack : String(thrown)}`,
      };
    return { how: thrown.code === 'UnlawfulRemoval' ? 'unlawful' : 'refused', gone: 0, why: thrown.message };
  }
}

function judged(request: Request, reply: ReplyData): Asked {
  const { gone, violation } = removalOf(request, reply);
  if (violation === undefined) return { how: 'answered', gone: gone.length };
  return { how: 'answered', gone: gone.length, broken: `${gone.join(', ')}: ${violation}` };
}
