/** What the functions observe in one call of Crossplane, and faults in it. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';

export interface View {
  readonly pool: KubeObject;
  /** The references of the pool: names of machines, and the API version in which each is read. */
  readonly refs: ReadonlyMap<string, string>;
  /** Machines in the references of the pool that were found, including those being deleted. */
  readonly machines: readonly KubeObject[];
  /** All machines of the pool, from the required resources. */
  readonly required: readonly KubeObject[];
}

/** Another API version of the same machines. */
const FOREIGN = 'slipway.dev/v1beta1';

/** A view with one fault, and the name of the fault; undefined: no fault. */
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
 * The machines of the pool are observed in their earlier state; the required resources do not have new and deleted ones
 * yet. No cache lags for as long as a deletion takes: a deleted machine is not observed.
 */
function stale(fresh: View, seen: View): View {
  const before = new Map(seen.required.map((machine) => [nameOf(machine), machine.status]));
  const machines = fresh.machines.map((machine) => ({ ...machine, status: before.get(nameOf(machine)) ?? {} }));
  const present = new Set(fresh.required.map(nameOf));
  return { ...fresh, machines, required: seen.required.filter((machine) => present.has(nameOf(machine))) };
}

export function nameOf(object: KubeObject): string {
  return object.metadata?.name ?? '';
}
