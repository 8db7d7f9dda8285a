/**
 * Another machine image: machines are replaced one after another, never fewer than allowed – and while that is under
 * way every function package is upgraded, which replaces nothing.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { CATALOG } from '../../../package/build/catalog.ts';
import { ROOT } from '../binaries/find.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { allHealthy, condition, PACKAGES } from '../packages/install.ts';
import { type Case, hold } from './case.ts';
import { SLIPWAY, TEAM, documents, instancesMade, isGoing, isReady, machinesOf, nameOf, poolSettles } from './scene.ts';

const POOL = 'prod-general';
const REPLICAS = 3;
const MAX_SURGE = 1;
const NEXT = 'v0.1.1';

export const rollOutCase: Case = {
  name: 'roll-out, upgrade',
  after: ['claim'],
  async run(lab, log) {
    const before = new Set((await machinesOf(lab, POOL)).map(nameOf));
    const made = instancesMade(lab);
    const watch = watchBudget(lab);
    await buildNext(lab);
    await lab.api.apply(...documents('examples/aws/edits/image.yaml'));
    await until('the first successor appears', { seconds: 60 }, async () => {
      const machines = await machinesOf(lab, POOL);
      return machines.length > REPLICAS ? { found: true } : { yet: `${machines.length} machines` };
    });
    log('roll-out begun; upgrading every function');
    for (const { name, runs } of CATALOG)
      if (runs !== undefined)
        await lab.cli('xpkg', 'update', 'function', `xpkg.crossplane.io/slipway/${name}:${NEXT}`, `slipway-${name}`);
    await until('every function runs from the new image', { seconds: 120 }, async () => {
      const revisions = await lab.api.list({ apiVersion: 'pkg.crossplane.io/v1', kind: 'FunctionRevision' });
      const active = revisions.filter((one) => one.spec?.['desiredState'] === 'Active');
      const old = active.filter((one) => stringAt(one, 'spec', 'image')?.endsWith(NEXT) !== true).map(nameOf);
      return old.length === 0 ? { found: true } : { yet: `still: ${old.join(', ')}` };
    });
    await allHealthy(lab.api, PACKAGES, 120);
    log('upgraded');
    await poolSettles(lab, POOL, REPLICAS, 420);
    const { fewest, because, most } = watch.stop();
    const after = (await machinesOf(lab, POOL)).map(nameOf);
    hold(
      'every machine was replaced',
      after.every((name) => !before.has(name)),
      after.join(),
    );
    hold('each was replaced once', instancesMade(lab) - made === REPLICAS, String(instancesMade(lab) - made));
    hold(`never fewer than ${REPLICAS} were ready`, fewest >= REPLICAS, `${fewest}: ${because}`);
    hold(`never more than ${REPLICAS + MAX_SURGE} existed`, most <= REPLICAS + MAX_SURGE, String(most));
    return `3 replaced, ${fewest} to ${most} machines, functions ${NEXT}`;
  },
};

/** The same code with another version written on it, so that Crossplane sees another image. */
async function buildNext(lab: Lab): Promise<void> {
  const out = join(lab.folder, NEXT);
  const program = join(ROOT, 'package/build/main.ts');
  await promisify(execFile)(process.execPath, [program, '--version', NEXT, '--out', out], { cwd: ROOT });
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  for (const { name, runs } of CATALOG)
    if (runs !== undefined)
      await lab.registry.push(join(out, `${name}-${architecture}.xpkg`), `slipway/${name}:${NEXT}`);
}

interface Budget {
  readonly fewest: number;
  /** Why machines were not ready when the fewest were. */
  readonly because: string;
  readonly most: number;
}

/** Looks at every change of the pool's machines: how few were ready, how many existed. */
function watchBudget({ api }: Lab): { stop(): Budget } {
  const machines = new Map<string, string>();
  const stopped = new AbortController();
  const budget = { fewest: Infinity, because: '', most: 0 };
  api.watch(
    { apiVersion: SLIPWAY, kind: 'Machine', namespace: TEAM },
    ({ type, object }) => {
      if (object.metadata?.labels?.['slipway.dev/nodepool'] !== POOL) return;
      if (type === 'gone') machines.delete(nameOf(object));
      else machines.set(nameOf(object), unreadiness(object));
      if (machines.size < REPLICAS) return; // the first look is one object at a time
      const ready = [...machines.values()].filter((why) => why === '').length;
      budget.most = Math.max(budget.most, machines.size);
      if (ready >= budget.fewest) return;
      budget.fewest = ready;
      budget.because = [...machines].map(([name, why]) => `${name} ${why || 'ready'}`).join('; ');
    },
    stopped.signal,
  );
  return {
    stop() {
      stopped.abort();
      return budget;
    },
  };
}

/** Empty for a machine that is ready and stays. */
function unreadiness(object: KubeObject): string {
  if (isGoing(object)) return 'is going';
  if (isReady(object)) return '';
  return `is not ready: ${JSON.stringify(condition(object, 'Ready') ?? 'no condition')}`;
}
