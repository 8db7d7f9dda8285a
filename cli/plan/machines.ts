/** What a pool's pipeline says about its machines, as entries. */
import { conditionOf } from '#lib/api/conditions.ts';
import { UpdatePlan } from '#lib/api/contracts/update-plan.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONDITION, CONTEXT } from '#lib/api/words.ts';
import type { Rendered } from '#simulator/render/render-once.ts';
import type { PlanEntry } from './entry.ts';
import { isSlipway, nameOf } from './world.ts';

/** The pool it belongs to, as entries say it. */
export function ownerOf(pool: KubeObject): { readonly cluster: string; readonly pool: string } {
  return { cluster: stringAt(pool, 'spec', 'clusterRef', 'name') ?? '', pool: nameOf(pool) };
}

/** The plan of the update step, and machines whose slot is no longer desired. */
export function machineEntries(pool: KubeObject, rendered: Rendered): readonly PlanEntry[] {
  const received = rendered.context[CONTEXT.updatePlan];
  const what = `context ${CONTEXT.updatePlan}`;
  const changes = received === undefined ? [] : parseAs(UpdatePlan, received, what, 'BrokenContract').changes;
  const planned = changes.flatMap(({ machines, ...change }) =>
    machines.map((name): PlanEntry => ({ ...aboutMachine(pool, name), ...change })),
  );
  return [...planned, ...removedEntries(pool, rendered, planned)].toSorted(inOrder);
}

/** Machines that are deleted because their slot is no longer desired: the update step does not handle those. */
function removedEntries(
  pool: KubeObject,
  { composite, deleted }: Rendered,
  planned: readonly PlanEntry[],
): readonly PlanEntry[] {
  const plannedNames = new Set(planned.map(({ name }) => name));
  const names = deleted.filter((one) => isSlipway(one, 'Machine')).map(nameOf);
  const conditions = [CONDITION.scalingDown, CONDITION.remediating].map((type) => conditionOf(composite, type));
  const reason = conditions.find((one) => one?.status === 'True')?.message ?? 'it is no longer desired';
  return names
    .filter((name) => !plannedNames.has(name))
    .map((name) => ({ ...aboutMachine(pool, name), field: '', decision: 'Drop', reason }));
}

export function aboutMachine(
  pool: KubeObject,
  name: string,
): Pick<PlanEntry, 'kind' | 'namespace' | 'name' | 'cluster' | 'pool'> {
  const { namespace } = pool.metadata ?? {};
  return { kind: 'Machine', ...(namespace === undefined ? {} : { namespace }), name, ...ownerOf(pool) };
}

const collator = new Intl.Collator('en', { numeric: true });

export function inOrder(a: PlanEntry, b: PlanEntry): number {
  return collator.compare(a.name, b.name) || collator.compare(a.field, b.field);
}
