/**
 * Records every change of the machines of a pool: the lowest number of ready machines, and the highest number of
 * machines.
 */
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
  const conditions = new ReadyConditions();
  const stopped = new AbortController();
  const budget = { fewest: Infinity, because: '', most: 0 };
  api.watch(
    { apiVersion: SLIPWAY, kind: 'Machine', namespace: TEAM },
    ({ type, object, more }) => {
      if (object.metadata?.labels?.['slipway.dev/nodepool'] === pool) {
        if (type === 'gone') machines.delete(nameOf(object));
        else machines.set(nameOf(object), isGoing(object) ? 'is going' : conditions.whyNotReady(object));
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

/**
 * A Crossplane that reads its own writes late (observed with 2.3.4) restores an earlier condition of an XR, with its
 * earlier time, and corrects it at once. Such a condition says nothing about the machine.
 */
class ReadyConditions {
  readonly #since = new Map<string, string[]>();
  readonly #outdated = new Set<string>();

  /** Empty for a machine that is ready. */
  whyNotReady(object: KubeObject): string {
    const name = nameOf(object);
    const seen = this.#since.get(name) ?? [];
    if (isReady(object)) {
      for (const one of seen) this.#outdated.add(one);
      this.#since.delete(name);
      return '';
    }
    const ready = JSON.stringify(condition(object, 'Ready') ?? 'no condition');
    const key = `${name} ${ready}`;
    if (this.#outdated.has(key)) return '';
    this.#since.set(name, [...seen, key]);
    return `is not ready: ${ready}`;
  }
}
