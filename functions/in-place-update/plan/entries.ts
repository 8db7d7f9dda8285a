/** The plan as data: for each machine and field what happens to it and why. Feeds status, `slipway plan` and tests. */
import { formatPath } from '../diff.ts';
import { type FieldDecision, strongest } from '../rules.ts';
import { shown } from './shown.ts';
import type { Step } from './step.ts';

export interface PlanEntry {
  readonly machine: string;
  /** Empty where it is about the machine as a whole. */
  readonly field: string;
  /** JSON, short, secrets masked; absent: the field was not there. */
  readonly old?: string;
  /** Absent: the field is taken away. */
  readonly new?: string;
  readonly decision: FieldDecision | 'Create' | 'Drop';
  /** Index of the rule that decided, or that is to blame; absent: none. */
  readonly rule?: number;
  /** Updaters that bring the field about, sorted. */
  readonly updaters?: readonly string[];
  readonly reason: string;
  /** What keeps it from happening now. */
  readonly blockedBy?: string;
}

/** In the order of slots, machines and fields: the same steps always give the same entries. */
export function planEntries(steps: readonly Step[]): readonly PlanEntry[] {
  const sorted = steps.toSorted((a, b) => Number(a.slot) - Number(b.slot) || compare(a.name, b.name));
  return sorted.flatMap((step) => [...wholeOf(step), ...underWay(step), ...fieldsOf(step)]);
}

function wholeOf({ action, name, reason, blockedBy }: Step): readonly PlanEntry[] {
  if (action !== 'Create' && action !== 'Wait' && action !== 'Drop') return [];
  const decision = action === 'Drop' ? 'Drop' : 'Create';
  return [{ machine: name, field: '', decision, reason, ...blocked(blockedBy) }];
}

/** Fields of an update that began: they have their new values already and differ no more. */
function underWay({ name, ordered, fields, reason }: Step): readonly PlanEntry[] {
  if (ordered?.order === undefined) return [];
  const told = new Set(fields.filter(({ decision }) => decision === 'Update').map(({ path }) => formatPath(path)));
  const { phase, progress, order } = ordered;
  const names = new Map<string, string[]>();
  for (const task of order.updaters)
    for (const field of task.fields) names.set(field, [...(names.get(field) ?? []), task.name]);
  return [...names]
    .filter(([field]) => !told.has(field))
    .sort(([a], [b]) => compare(a, b))
    .map(([field, updaters]) => ({
      machine: name,
      field,
      decision: progress === 'Failed' ? ('Hold' as const) : ('Update' as const),
      updaters: updaters.toSorted(),
      reason: progress === 'Failed' ? reason : `update ${order.id} is ${phase}`,
      ...blocked(progress === 'Failed' ? `update ${order.id}` : undefined),
    }));
}

function fieldsOf({ name, fields, blockedBy, out, gone }: Step): readonly PlanEntry[] {
  const object = out?.object ?? gone;
  if (object === undefined) return [];
  const replaced = strongest(fields) === 'Recreate';
  const paths = fields.map((field) => ({ field, text: formatPath(field.path) }));
  return paths
    .toSorted((a, b) => compare(a.text, b.text))
    .map(({ field, text }) => {
      const { decision, rule, updaters, path } = field;
      const [old, now] = [shown(field.old, path, object), shown(field.new, path, object)];
      const along = replaced && decision !== 'Recreate' && decision !== 'Ignore';
      const waits = decision === 'Patch' && !replaced ? undefined : blockedBy;
      return {
        machine: name,
        field: text,
        ...(old === undefined ? {} : { old }),
        ...(now === undefined ? {} : { new: now }),
        decision,
        ...(rule === undefined ? {} : { rule }),
        ...(updaters.length === 0 ? {} : { updaters: updaters.map((updater) => updater.name).toSorted() }),
        reason: along ? `${field.reason}; its machine is replaced` : field.reason,
        ...blocked(field.blockedBy ?? (decision === 'Ignore' ? undefined : waits)),
      };
    });
}

function blocked(blockedBy: string | undefined): { readonly blockedBy?: string } {
  return blockedBy === undefined ? {} : { blockedBy };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
