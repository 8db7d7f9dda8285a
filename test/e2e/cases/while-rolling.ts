/** What happens while the machines of a pool are being replaced must not replace more of them, or fewer. */
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { watchBudget } from './budget.ts';
import { hold } from './case.ts';
import { drainedFirst } from './drained.ts';
import { instancesDeleted, instancesMade, isGoing, machinesOf, nameOf, poolSettles } from './scene.ts';

export const POOL = 'prod-general';
const REPLICAS = 3;
const MAX_SURGE = 1;

export interface Act {
  /** Makes machines of the pool outdated. */
  readonly edit: () => Promise<unknown>;
  /** In the log. */
  readonly name: string;
  /** Begins when the first machine has a successor. */
  readonly act: () => Promise<unknown>;
  /** Afterwards, while machines may still be replaced. */
  readonly check: () => Promise<unknown>;
}

/** Every machine of the pool is replaced once because of the edit, and no other one is changed. */
export async function whileRolling(
  lab: Lab,
  log: (line: string) => void,
  { edit, name, act, check }: Act,
): Promise<string> {
  const [mine, all] = [await namesOf(lab, POOL), await namesOf(lab)];
  const [made, deleted] = [instancesMade(lab), instancesDeleted(lab)];
  const watch = watchBudget(lab, POOL);
  await edit();
  await until('the first successor appears', { seconds: 60 }, async () => {
    const machines = await machinesOf(lab, POOL);
    return machines.length > REPLICAS ? { found: true } : { yet: `${machines.length} machines` };
  });
  log(`roll-out begun; ${name}`);
  const begun = Date.now();
  await act();
  const seconds = Math.round((Date.now() - begun) / 1000);
  const left = (await namesOf(lab, POOL)).filter((each) => mine.includes(each)).length;
  log(`${name}: done after ${seconds} s; ${left} of ${REPLICAS} machines not yet replaced`);
  await check();
  await poolSettles(lab, POOL, REPLICAS, 420);
  const { fewest, because, most } = watch.stop();
  const [mineNow, allNow] = [await namesOf(lab, POOL), await namesOf(lab)];
  hold(`${name} ended while machines were being replaced`, left > 0, 'the roll-out had ended');
  hold('every machine was replaced', !mineNow.some((name) => mine.includes(name)), mineNow.join());
  const others = all.filter((name) => !mine.includes(name));
  hold(
    'no other machine was',
    others.every((name) => allNow.includes(name)),
    allNow.join(),
  );
  hold('each was made once', instancesMade(lab) - made === REPLICAS, String(instancesMade(lab) - made));
  hold('each went once', instancesDeleted(lab) - deleted === REPLICAS, String(instancesDeleted(lab) - deleted));
  await drainedFirst(lab, mine);
  hold(`never fewer than ${REPLICAS} were ready`, fewest >= REPLICAS, `${fewest}: ${because}`);
  hold(`never more than ${REPLICAS + MAX_SURGE} existed`, most <= REPLICAS + MAX_SURGE, String(most));
  return `in ${seconds} s, ${REPLICAS} replaced, ${fewest} to ${most} machines`;
}

/** Machines that must not change. */
async function namesOf(lab: Lab, pool?: string): Promise<readonly string[]> {
  return (await machinesOf(lab, pool)).filter((machine) => !isGoing(machine)).map(nameOf);
}
