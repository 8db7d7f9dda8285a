/**
 * The provider and the core are killed at the moments around the creation of a machine. Afterwards there is one machine
 * for each Machine; where AWS made two, the one without an object is found by its tag.
 */
import { hold } from '../../e2e/cases/case.ts';
import { poolSettles, TEAM } from '../../e2e/cases/scene.ts';
import { pause } from '../../e2e/lab/waiting.ts';
import { type Moment, refusal } from '../cloud/proxy.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import type { Case } from './case.ts';
import { namesOf, ownedInstances } from './instances.ts';
import { runsOf } from './seen.ts';

const POOL = 'prod-memory';
const REPLICAS = 2;
const LIMIT_SECONDS = 400;

interface KillAt {
  readonly what: string;
  readonly when: Moment;
  readonly action: RegExp;
  readonly who: 'provider' | 'core';
}

const KILLS: readonly KillAt[] = [
  { what: 'before RunInstances', when: 'before', action: /^RunInstances$/, who: 'provider' },
  { what: 'after RunInstances, before its answer', when: 'after', action: /^RunInstances$/, who: 'provider' },
  { what: 'at the first look at the new machine', when: 'before', action: /^DescribeInstances$/, who: 'provider' },
  { what: 'the core, at RunInstances', when: 'after', action: /^RunInstances$/, who: 'core' },
];

export const killsCase: Case = {
  name: 'kills',
  after: ['claim'],
  async run(lab, log) {
    const told: string[] = [];
    for (const each of KILLS) {
      const said = await killedAt(lab, each);
      log(`killed ${each.what}: ${said}`);
      told.push(`${each.what}: ${said}`);
    }
    return told.join('; ');
  },
};

/** A pool grows by one machine meanwhile, and shrinks again. */
async function killedAt(lab: AwsLab, kill: KillAt): Promise<string> {
  const calls = lab.proxy.calls.length;
  const before = new Set((await ownedInstances(lab)).map(({ id }) => id));
  const killed = atMoment(lab, kill, before);
  await scale(lab, REPLICAS + 1);
  await killed;
  await poolSettles(lab, POOL, REPLICAS + 1, LIMIT_SECONDS);
  const names = await namesOf(lab);
  const instances = await ownedInstances(lab);
  const byName = Map.groupBy(instances, ({ tags }) => tags.get('Name') ?? '');
  const surplus = [...byName].filter(([, own]) => own.length > 1);
  const strangers = [...byName.keys()].filter((name) => !names.includes(name));
  const runs = [...runsOf(lab.proxy.since(calls)).values()].reduce((sum, count) => sum + count, 0);
  hold(
    'every Machine has a machine',
    names.every((name) => byName.has(name)),
    names.join(),
  );
  hold('no machine is without a Machine', strangers.length === 0, strangers.join());
  hold(
    'no Machine has two machines',
    surplus.length === 0,
    surplus.map(([name, own]) => `${name} ${own.length}`).join(),
  );
  await scale(lab, REPLICAS);
  await poolSettles(lab, POOL, REPLICAS, LIMIT_SECONDS);
  return `${runs} RunInstances, one machine each`;
}

/** Resolves when the victim runs again. */
function atMoment(lab: AwsLab, { when, action, who }: KillAt, before: ReadonlySet<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = lab.proxy.intervene({
      when,
      action,
      async act({ about }) {
        if (action.test('DescribeInstances') && (before.has(about) || !about.startsWith('i-'))) return undefined;
        end();
        await (who === 'provider' ? lab.provider.kill() : lab.crossplane.core().kill());
        pause(2_000)
          .then(() => (who === 'provider' ? lab.provider.start() : lab.crossplane.restartCore()))
          .then(resolve, reject);
        // What was not sent does not arrive.
        return when === 'before' ? refusal('Unavailable', 'The caller went away.') : undefined;
      },
    });
  });
}

async function scale(lab: AwsLab, replicas: number): Promise<void> {
  await lab.kubectl('-n', TEAM, 'scale', `nodepool.slipway.dev/${POOL}`, `--replicas=${replicas}`);
}
