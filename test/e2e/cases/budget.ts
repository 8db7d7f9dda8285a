/** Looks at every change of a pool's machines: how few were ready, how many existed. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Lab } from '../lab/lab.ts';
import { condition } from '../packages/install.ts';
import { SLIPWAY, TEAM, isGoing, isReady, nameOf } from './scene.ts';

export interface Budget {
  readonly fewest: number;
  /** Why machines were not ready when the fewest were. */
  readonly because: string;
  readonly most: number;
}

export function watchBudget({ api }: Lab, pool: string): { stop(): Budget } {
  const machines = new Map<string, string>();
  const stopped = new AbortController();
  const budget = { fewest: Infinity, because: '', most: 0 };
  api.watch(
    { apiVersion: SLIPWAY, kind: 'Machine', namespace: TEAM },
    ({ type, object, more }) => {
      if (object.metadata?.labels?.['slipway.dev/nodepool'] === pool) {
        if (type === 'gone') machines.delete(nameOf(object));
        else machines.set(nameOf(object), unreadiness(object));
      }
      if (more) return;
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
