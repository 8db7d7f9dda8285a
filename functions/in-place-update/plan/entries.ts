/** The plan as data: what happens to each machine and field, and why. Used for status, `slipway plan` and tests. */
import type { UpdatePlan, UpdatePlanChange } from '#lib/api/contracts/update-plan.ts';
import { shownChange } from '#lib/api/shown.ts';
import { formatPath } from '../change.ts';
import { strongest } from '../rules.ts';
import { replacedBy, type Step } from './step.ts';

/** One line of the plan, about one machine. */
export type PlanEntry = Omit<UpdatePlanChange, 'machines'> & { readonly machine: string };

/** In the order of slots, machines and fields: the same steps always give the same entries. */
export function planEntries(steps: readonly Step[]): readonly PlanEntry[] {
  const sorted = steps.toSorted((a, b) => Number(a.slot) - Number(b.slot) || compare(a.name, b.name));
  return sorted.flatMap((step) => [...wholeOf(step), ...underWay(step), ...fieldsOf(step)]);
}

/**
 * The plan for the pipeline context; undefined if there is nothing to do.
 * @param asked whether ignored fields are listed even if there is nothing else to do
 */
export function updatePlan(entries: readonly PlanEntry[], asked: boolean): UpdatePlan | undefined {
  if (asked ? entries.length === 0 : entries.every(({ decision }) => decision === 'Ignore')) return undefined;
  const groups = Map.groupBy(entries, ({ machine: _machine, ...change }) => JSON.stringify(change));
  const changes = [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { machine: _machine, ...change } = first;
    return [{ machines: same.map(({ machine }) => machine), ...change }];
  });
  return { contract: 1, changes };
}

function wholeOf({ action, name, reason, blockedBy, succeeds }: Step): readonly PlanEntry[] {
  if (action !== 'Create' && action !== 'Wait' && action !== 'Drop') return [];
  const decision = action === 'Drop' ? 'Drop' : 'Create';
  const made = succeeds === undefined ? {} : { succeeds };
  return [{ machine: name, field: '', decision, reason, ...blocked(blockedBy), ...made }];
}

/** Fields of a running update: they already have their new values and do not differ any more. */
function underWay({ name, ordered, fields, reason }: Step): readonly PlanEntry[] {
  if (ordered?.order === undefined) return [];
  const updated = new Set(fields.filter(({ decision }) => decision === 'Update').map(({ path }) => formatPath(path)));
  const { phase, progress, order } = ordered;
  const names = new Map<string, string[]>();
  for (const task of order.updaters)
    for (const field of task.fields) names.set(field, [...(names.get(field) ?? []), task.name]);
  return [...names]
    .filter(([field]) => !updated.has(field))
    .sort(([a], [b]) => compare(a, b))
    .map(([field, updaters]) => ({
      machine: name,
      field,
      decision: progress === 'Failed' ? ('Hold' as const) : ('Update' as const),
      updaters: updaters.toSorted(),
      reason: progress === 'Failed' ? reason : `update ${order.id} is ${phase}`,
      ...blocked(progress === 'Failed' ? `update ${order.id}` : undefined),
      ...(progress === 'Failed' ? HELD : {}),
    }));
}

const HELD = { held: true } as const;

function fieldsOf({ action, name, fields, blockedBy, out, gone, replaced: instead }: Step): readonly PlanEntry[] {
  const object = out?.object ?? gone;
  if (object === undefined) return [];
  const replaced = strongest(fields) === 'Recreate' || instead !== undefined;
  const paths = fields.map((field) => ({ field, text: formatPath(field.path) }));
  return paths
    .toSorted((a, b) => compare(a.text, b.text))
    .map(({ field, text }) => {
      const { decision, rule, updaters, path } = field;
      const along = replaced && decision !== 'Recreate' && decision !== 'Ignore';
      // No updater is called for a machine that is replaced.
      const updated = decision === 'Update' && !replaced;
      const waits = decision === 'Patch' && !replaced ? undefined : blockedBy;
      return {
        machine: name,
        field: text,
        ...shownChange(field, path, object),
        decision: decision === 'Update' && !updated ? ('Recreate' as const) : decision,
        ...(rule === undefined ? {} : { rule }),
        ...(updated ? { updaters: updaters.map((updater) => updater.name).toSorted() } : {}),
        reason: along ? reasonAlong(field, instead) : field.reason,
        ...blocked(field.blockedBy ?? (decision === 'Ignore' ? undefined : waits)),
        ...(action === 'Hold' && decision !== 'Patch' && decision !== 'Ignore' ? HELD : {}),
      };
    });
}

/** A rule that says Update is not followed; what it says of a patch is true of the new machine. */
function reasonAlong({ decision, reason }: Step['fields'][number], instead: string | undefined): string {
  const plain = replacedBy(undefined);
  return decision === 'Update' ? (instead ?? plain) : `${reason}; ${plain}`;
}

function blocked(blockedBy: string | undefined): { readonly blockedBy?: string } {
  return blockedBy === undefined ? {} : { blockedBy };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
