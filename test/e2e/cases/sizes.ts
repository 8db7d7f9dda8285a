/** What machines cost by how many are made at once: pools of 3, 30 and 100, and three pools of 100, one after the other. */
import { lengthOf, requestsIn } from '../audit/log.ts';
import { crossplaneKinds, requestsOf } from '../audit/tally.ts';
import { cpuSeconds, cpuSince } from '../lab/cpu.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { callsSince, readCalls } from '../report/call-metrics.ts';
import { readReconciles, reconcilesSince } from '../writes/reconciles.ts';
import type { Case } from './case.ts';
import { documents, machinesOf, poolRef, poolSettles, TEAM } from './scene.ts';

const SIZES = [
  { pools: 1, replicas: 3 },
  { pools: 1, replicas: 30 },
  { pools: 1, replicas: 100 },
  { pools: 3, replicas: 100 },
] as const;
type Size = (typeof SIZES)[number];
/** For 300 machines on two processors. */
const READY_SECONDS = 3600;
const GONE_SECONDS = 1800;

export const sizesCase: Case = {
  name: 'sizes',
  after: ['claim'],
  async run(lab, log) {
    const results: string[] = [];
    for (const size of SIZES) {
      const names = Array.from({ length: size.pools }, (_, index) => `size-${size.replicas}-${index}`);
      const result = await measured(lab, size, log, async () => {
        await lab.api.apply(...names.map((name) => pool(name, size.replicas)));
        for (const name of names) await poolSettles(lab, name, size.replicas, READY_SECONDS);
      });
      results.push(result);
      await gone(lab, names);
    }
    return results.join('; ');
  },
};

async function measured(
  lab: Lab,
  { pools, replicas }: Size,
  log: (line: string) => void,
  act: () => Promise<void>,
): Promise<string> {
  const machines = pools * replicas;
  const from = lengthOf(lab.kubernetes.audit);
  const [cpu, calls] = [cpuSeconds(lab.processes), await readCalls(lab.runtime)];
  const [reconciles, begun] = [await readReconciles(lab.crossplane.metricsUrl), Date.now()];
  await act();
  const seconds = (Date.now() - begun) / 1000;
  const management = requestsIn(lab.kubernetes.audit, from);
  log(
    `${machines} machines: reconciles ${reconcilesSince(reconciles, await readReconciles(lab.crossplane.metricsUrl)).join(', ')}`,
  );
  const called = [...callsSince(calls, await readCalls(lab.runtime))].map(
    ([name, { calls: count }]) => `${name} ${count}`,
  );
  log(`${machines} machines: calls ${called.join(', ')}`);
  log(`${machines} machines: processor time ${cpuSince(cpu, cpuSeconds(lab.processes)).join(', ')}`);
  log(`${machines} machines: requests of Crossplane ${crossplaneKinds(TEAM, management).slice(0, 15).join(', ')}`);
  const each = requestsOf(TEAM, management, []).crossplane / machines;
  return `${machines} machines in ${pools} pools: ${seconds.toFixed(0)} s, ${each.toFixed(0)} requests of Crossplane each`;
}

function pool(name: string, replicas: number) {
  const [example] = documents('examples/aws/node-pools.yaml');
  return { ...example, metadata: { name, namespace: TEAM }, spec: { ...example?.spec, replicas } } as never;
}

async function gone(lab: Lab, names: readonly string[]): Promise<void> {
  for (const name of names) await lab.api.delete(poolRef(name));
  await until(`machines of ${names.join(', ')} are gone`, { seconds: GONE_SECONDS, every: 2000 }, async () => {
    const left = (await Promise.all(names.map((name) => machinesOf(lab, name)))).flat().length;
    return left === 0 ? { found: true } : { yet: `${left} machines left` };
  });
}
