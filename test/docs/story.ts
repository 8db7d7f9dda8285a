/**
 * What happens to a pool in the simulation of test/sim, written as its operator sees it. The only failures are those of
 * the story.
 */
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import { Chance } from '../sim/chance.ts';
import { CALM } from '../sim/faults.ts';
import { Judge } from '../sim/judge.ts';
import { isServing } from '../sim/machines.ts';
import { AWS } from '../sim/flavours.ts';
import { conditionsOf, isComplete } from '../sim/silence.ts';
import { STEP, World } from '../sim/world.ts';
import { row, type Seen, TITLE } from './row.ts';

export interface Story {
  readonly pool: string;
  readonly spec: JsonObject;
  /** What a user does, or what happens to machines. */
  readonly begin: (world: World) => void;
}

/** Steps. */
const LIMIT = 400;
const QUIET = 6;

/** Conditions that show what a roll-out does; the first that changed decides. */
const DECISIVE = [CONDITION.remediating, CONDITION.upToDate, CONDITION.scalingDown] as const;

/** One row for each step in which an operator sees a change. */
export async function written(story: Story): Promise<string> {
  const world = new World(story.spec, AWS, new Chance(0), CALM);
  world.pool = { ...world.pool, metadata: { ...world.pool.metadata, name: story.pool } };
  const judge = new Judge(world);
  await settle(world, judge, () => undefined);
  const rows = [TITLE];
  const begin = world.tick;
  let before = seen(world, begin);
  const look = (): void => {
    const now = seen(world, begin);
    const text = row(before, now);
    if (text !== undefined) rows.push(text);
    before = now;
  };
  story.begin(world);
  look();
  await settle(world, judge, look);
  return `${rows.join('\n')}\n`;
}

async function settle(world: World, judge: Judge, look: () => void): Promise<void> {
  const end = world.tick + LIMIT;
  for (let quiet = 0; quiet < QUIET;) {
    if (world.tick >= end) throw new Error(`it did not settle in ${LIMIT} steps:\n${world.log.join('\n')}`);
    const lines = world.log.length;
    world.pass();
    judge.prepare();
    judge.judge(await world.reconcile(true));
    look();
    quiet = world.log.length === lines && isComplete(world) ? quiet + 1 : 0;
  }
}

function seen(world: World, begin: number): Seen {
  const lives = [...world.lives];
  const serving = lives.filter(([, life]) => isServing(life)).length;
  return {
    seconds: ((world.tick - begin) * STEP) / 1000,
    log: world.log.map((line) => line.slice(0, line.lastIndexOf(';')).replace(/^ *\d+ +/, '')),
    updates: new Map(lives.map(([name, { update }]) => [name, update?.phase])),
    serve: `${serving} of ${lives.length}`,
    phase: stringAt(world.pool, 'status', 'phase') ?? '',
    conditions: DECISIVE.flatMap((type) => conditionsOf(world).filter((one) => stringAt(one, 'type') === type)).map(
      sentence,
    ),
    events: [...world.events],
  };
}

function sentence(condition: unknown): string {
  const text = (field: string): string => stringAt(condition, field) ?? '';
  const message = text('message');
  return `${text('type')}=${text('status')} ${text('reason')}${message === '' ? '' : `: ${message}`}`;
}
