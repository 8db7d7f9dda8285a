/** A pool grows and shrinks, and is rolled to another image: one RunInstances and one TerminateInstances for each machine. */
import { hold } from '../../e2e/cases/case.ts';
import { documents, machinesOf, nameOf, poolRef, poolSettles, TEAM } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import type { Case } from './case.ts';
import { countOf, instancesOf, namesOf, notOnce, oneEach } from './instances.ts';

const POOL = 'prod-general';
const LIMIT_SECONDS = 300;

export const growCase: Case = {
  name: 'grow',
  after: ['claim'],
  async run(lab, log) {
    const [before, calls] = [await namesOf(lab, POOL), lab.proxy.calls.length];
    await scale(lab, 4);
    log('four machines');
    const grown = await namesOf(lab, POOL);
    const fresh = grown.filter((name) => !before.includes(name));
    hold('one machine came', fresh.length === 1 && notOnce(fresh, lab.proxy.calls).length === 0, fresh.join());
    await scale(lab, 3);
    await oneEach(lab, LIMIT_SECONDS);
    const seen = lab.proxy.since(calls);
    const counts = ['RunInstances', 'TerminateInstances'].map((action) => countOf(seen, action));
    hold('one machine came and one went', counts.join() === '1,1', counts.join());
    return `3 → 4 → 3: ${counts[0]} RunInstances, ${counts[1]} TerminateInstances`;
  },
};

async function scale(lab: AwsLab, replicas: number): Promise<void> {
  await lab.kubectl('-n', TEAM, 'scale', `nodepool.slipway.dev/${POOL}`, `--replicas=${replicas}`);
  await poolSettles(lab, POOL, replicas, LIMIT_SECONDS);
}

export const rollCase: Case = {
  name: 'roll',
  after: ['claim'],
  async run(lab) {
    const [before, calls] = [await namesOf(lab, POOL), lab.proxy.calls.length];
    await lab.api.apply(...documents('examples/aws/edits/image.yaml'));
    const image = await imageOf(lab);
    await until('every machine is a new one', { seconds: 2 * LIMIT_SECONDS, every: 1000 }, async () => {
      const left = (await machinesOf(lab, POOL)).map(nameOf).filter((name) => before.includes(name));
      return left.length === 0 ? { found: true } : { yet: left.join() };
    });
    await poolSettles(lab, POOL, before.length, LIMIT_SECONDS);
    await oneEach(lab, LIMIT_SECONDS);
    const names = await namesOf(lab, POOL);
    const seen = lab.proxy.since(calls);
    const wrong = notOnce(names, seen);
    hold('each new machine has one RunInstances', wrong.length === 0, wrong.join());
    const counts = ['RunInstances', 'TerminateInstances'].map((action) => countOf(seen, action));
    hold('each machine came once and went once', counts.join() === `${before.length},${before.length}`, counts.join());
    const images = (await instancesOf(lab, POOL)).map((one) => one.image);
    hold(
      'all have the new image',
      images.every((one) => one === image),
      images.join(),
    );
    return `${before.length} machines replaced: ${counts[0]} RunInstances, ${counts[1]} TerminateInstances, image ${image}`;
  },
};

async function imageOf({ api }: AwsLab): Promise<string> {
  const { spec } = await api.get(poolRef(POOL));
  return (spec as { readonly machine: { readonly image: string } }).machine.image;
}
