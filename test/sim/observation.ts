/** What Crossplane shows the functions in one call, and what may be wrong with that. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';

export interface View {
  readonly pool: KubeObject;
  /** Machines that the pool's references name and that were found; those on their way out included. */
  readonly machines: readonly KubeObject[];
  /** All machines of the pool, as the answer to what was required shows them. */
  readonly required: readonly KubeObject[];
}

/** Another version that serves the same machines. */
const FOREIGN = 'slipway.dev/v1beta1';

/** A view that may be wrong in one way, and in which; undefined: it is as it should be. */
export function blurred(
  fresh: View,
  seen: View | undefined,
  chance: Chance,
  faults: Faults,
): readonly [View, string | undefined] {
  if (chance.happens(faults.blind)) return [{ ...fresh, machines: [] }, 'no machine is observed'];
  if (chance.happens(faults.foreign)) return [foreign(fresh), `machines are observed as ${FOREIGN}`];
  if (chance.happens(faults.missing) && fresh.machines.length > 0) {
    const one = chance.between(0, fresh.machines.length - 1);
    const name = nameOf(fresh.machines[one]!);
    return [{ ...fresh, machines: fresh.machines.toSpliced(one, 1) }, `${name} is not observed`];
  }
  if (seen !== undefined && chance.happens(faults.stale)) return [stale(fresh, seen), 'caches lag'];
  return [fresh, undefined];
}

function foreign(fresh: View): View {
  return { ...fresh, machines: fresh.machines.map((machine) => ({ ...machine, apiVersion: FOREIGN })) };
}

/**
 * The pool's own machines are there, with what they said before; what was required does not know yet which came and
 * which were deleted. No cache lags by as long as a machine takes to go: what is gone is not shown.
 */
function stale(fresh: View, seen: View): View {
  const before = new Map(seen.required.map((machine) => [nameOf(machine), machine.status]));
  const machines = fresh.machines.map((machine) => ({ ...machine, status: before.get(nameOf(machine)) ?? {} }));
  const present = new Set(fresh.required.map(nameOf));
  return { pool: fresh.pool, machines, required: seen.required.filter((machine) => present.has(nameOf(machine))) };
}

export function nameOf(object: KubeObject): string {
  return object.metadata?.name ?? '';
}
