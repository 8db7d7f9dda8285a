/**
 * Another machine image: machines are replaced one after another, never below the required number. Meanwhile a whole
 * release is installed as docs/upgrade.md says, and rolled back during the next roll-out. Neither causes replacements.
 */
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { allHealthy, PACKAGES } from '../packages/install.ts';
import { notOf, pushRelease } from '../packages/release.ts';
import { VERSION } from '../lab/lab.ts';
import { watchBudget } from './budget.ts';
import { type Case, hold } from './case.ts';
import { follow, UPGRADE } from './documented.ts';
import { drainedFirst } from './drained.ts';
import {
  documents,
  instancesDeleted,
  instancesMade,
  isGoing,
  machinesOf,
  nameOf,
  poolRef,
  poolSettles,
} from './scene.ts';

const POOL = 'prod-general';
const REPLICAS = 3;
const MAX_SURGE = 1;
const NEXT = 'v0.1.1';

export const rollOutCase: Case = {
  name: 'roll-out',
  after: ['claim'],
  async run(lab, log) {
    await pushRelease(lab, NEXT);
    hold(`everything is ${VERSION}`, (await notOf(lab.api, VERSION)).length === 0);
    const forwards = await during(lab, log, {
      edit: () => lab.api.apply(...documents('examples/aws/edits/image.yaml')),
      section: 'Upgrade',
      release: NEXT,
    });
    const back = await during(lab, log, {
      edit: () => lab.api.patch(poolRef(POOL), { spec: { machine: { image: 'ami-0ccccccccccccc352' } } }),
      section: 'Roll back',
      release: VERSION,
    });
    return `${VERSION} → ${NEXT} ${forwards}; → ${VERSION} ${back}`;
  },
};

interface Act {
  readonly edit: () => Promise<unknown>;
  /** From docs/upgrade.md. */
  readonly section: string;
  readonly release: string;
}

/**
 * Every machine of the pool is replaced once because of the edit, no other one is changed, and the release is
 * installed.
 */
async function during(lab: Lab, log: (line: string) => void, { edit, section, release }: Act): Promise<string> {
  const [mine, all] = [await namesOf(lab, POOL), await namesOf(lab)];
  const [made, deleted] = [instancesMade(lab), instancesDeleted(lab)];
  const watch = watchBudget(lab, POOL);
  await edit();
  await until('the first successor appears', { seconds: 60 }, async () => {
    const machines = await machinesOf(lab, POOL);
    return machines.length > REPLICAS ? { found: true } : { yet: `${machines.length} machines` };
  });
  log(`roll-out begun; ${section}`);
  const begun = Date.now();
  await follow(lab, UPGRADE, section);
  const seconds = Math.round((Date.now() - begun) / 1000);
  const left = (await namesOf(lab, POOL)).filter((name) => mine.includes(name)).length;
  log(`${release} is in after ${seconds} s; ${left} of ${REPLICAS} machines not yet replaced`);
  await until(`packages, APIs, Compositions and claims are ${release}`, { seconds: 60 }, async () => {
    const others = await notOf(lab.api, release);
    return others.length === 0 ? { found: true } : { yet: `not: ${others.slice(0, 5).join(', ')}` };
  });
  await allHealthy(lab.api, PACKAGES, 60);
  await poolSettles(lab, POOL, REPLICAS, 420);
  const { fewest, because, most } = watch.stop();
  const [mineNow, allNow] = [await namesOf(lab, POOL), await namesOf(lab)];
  hold('the release went in while machines were being replaced', left > 0, 'the roll-out had ended');
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
