/**
 * Crossplane with the settings that the pages recommend: one command installs a whole release, and one rolls it back;
 * and no circuit breaker opens while a cluster grows.
 */
import { type Lab, VERSION } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { allHealthy, PACKAGES } from '../packages/install.ts';
import { notOf, pushRelease } from '../packages/release.ts';
import { readBreakers } from '../writes/breaker.ts';
import { type Case, hold } from './case.ts';
import { commandsOf, INSTALL, run, settingsOf, UPGRADE } from './documented.ts';
import { TEAM, instancesDeleted, machinesOf, nameOf, poolSettles } from './scene.ts';

const NEXT = 'v0.1.1';

export const byItselfCase: Case = {
  name: 'by itself',
  after: ['claim'],
  async run(lab) {
    await pushRelease(lab, NEXT);
    await lab.crossplane.restartCore([...settingsOf(INSTALL), ...settingsOf(UPGRADE)]);
    const machines = (await machinesOf(lab)).map(nameOf).toSorted().join();
    const deleted = instancesDeleted(lab);
    const there = await brought(lab, 'Upgrade', NEXT);
    const back = await brought(lab, 'Roll back', VERSION);
    hold('the same machines are there', (await machinesOf(lab)).map(nameOf).toSorted().join() === machines);
    hold('no machine went', instancesDeleted(lab) === deleted);
    await lab.kubectl('-n', TEAM, 'scale', 'nodepool.slipway.dev/prod-memory', '--replicas=6');
    await poolSettles(lab, 'prod-memory', 6, 300);
    await lab.kubectl('-n', TEAM, 'scale', 'nodepool.slipway.dev/prod-memory', '--replicas=2');
    await poolSettles(lab, 'prod-memory', 2, 300);
    const events = await eventsWithoutOpening(lab);
    return `${NEXT} in ${there} s, ${VERSION} in ${back} s; ${events} events, no circuit breaker opened`;
  },
};

async function eventsWithoutOpening(lab: Lab): Promise<number> {
  const breakers = [...(await readBreakers(lab.crossplane.metricsUrl))];
  const opened = breakers.filter(([, breaker]) => breaker.opened > 0).map(([kind]) => kind);
  const events = breakers.reduce((sum, [, breaker]) => sum + breaker.events, 0);
  hold('Crossplane counts events', events > 0);
  hold('no circuit breaker opened', opened.length === 0, opened.join());
  return events;
}

/** Only the first command of the section. */
async function brought(lab: Lab, section: string, release: string): Promise<number> {
  const begun = Date.now();
  const [first = ''] = commandsOf(UPGRADE, section);
  await run(lab, UPGRADE, first);
  await until(`everything is ${release}`, { seconds: 120 }, async () => {
    const others = await notOf(lab.api, release);
    return others.length === 0 ? { found: true } : { yet: `not: ${others.slice(0, 5).join(', ')}` };
  });
  await allHealthy(lab.api, PACKAGES, 60);
  return Math.round((Date.now() - begun) / 1000);
}
