/** What the update step says: how many are up to date, what is under way, what is held and because of which fields. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { formatPath } from './diff.ts';
import type { PlanEntry } from './plan/entries.ts';
import type { Step } from './plan/step.ts';
import { summaryOf } from './plan/summary.ts';
import { strongest } from './rules.ts';
import type { Rulebook } from './rulebook.ts';

export function report(
  reply: Reply,
  composite: KubeObject,
  steps: readonly Step[],
  entries: readonly PlanEntry[],
  status: Readonly<Record<string, unknown>>,
): void {
  const held = steps.filter(({ action }) => action === 'Hold');
  const outdated = steps.filter(({ action, upToDate }) => (action === 'Keep' || action === 'Update') && !upToDate);
  const creating = steps.filter(({ action }) => action === 'Create' || action === 'Wait');
  const existing = steps.filter(({ upToDate, out }) => upToDate && out !== undefined);
  const rolling = outdated.length > 0;
  const plan = summaryOf(steps, entries);
  reply.status({
    upToDateReplicas: existing.length,
    ...(rolling && status['phase'] === 'Running' ? { phase: 'RollingOut' } : {}),
    ...(plan === undefined ? {} : { plan }),
  });
  reportUpToDate(reply, held, outdated, creating.length);
  reportRollOut(reply, composite, outdated, steps);
  reportUpdating(reply, composite, steps);
}

/** Rules that cannot mean what they say: told as long as they are there, and once by an event. */
export function reportFaults(reply: Reply, composite: KubeObject, book: Rulebook, steps: readonly Step[]): void {
  const failed = steps.flatMap(({ fields }) => fields.flatMap(({ fault }) => fault ?? []));
  const lines = [...new Set([...book.faults, ...failed].map(({ at, message }) => `${at}.${message}`))];
  const before = conditionOf(composite, CONDITION.updateRulesAccepted);
  if (lines.length === 0) {
    if (before !== undefined) reply.condition(CONDITION.updateRulesAccepted, true, 'Accepted');
    return;
  }
  const more = lines.length > 3 ? `; and ${lines.length - 3} more` : '';
  const message = `${lines.slice(0, 3).join('; ')}${more}; what these rules would decide is held`;
  reply.condition(CONDITION.updateRulesAccepted, false, 'InvalidRule', message);
  if (before?.status !== 'False' || before.message !== message) reply.event('Warning', 'InvalidRule', message);
}

/** Only a group that was ever updated in place speaks of it. */
function reportUpdating(reply: Reply, composite: KubeObject, steps: readonly Step[]): void {
  const updating = steps.filter(({ action }) => action === 'Update');
  const before = conditionOf(composite, CONDITION.updating);
  if (updating.length > 0) {
    const message = bounded(updating.map((step) => `${step.name}: ${step.reason}`));
    reply.condition(CONDITION.updating, true, 'InPlaceUpdating', message);
    if (before?.status !== 'True') reply.event('Normal', 'InPlaceUpdating', `${updating.length} updated in place`);
    return;
  }
  const failed = steps.filter(({ ordered }) => ordered?.progress === 'Failed');
  if (failed.length > 0) {
    const message = bounded(failed.map((step) => `${step.name}: ${step.reason}`));
    reply.condition(CONDITION.updating, false, 'InPlaceUpdateFailed', message);
    if (before?.reason !== 'InPlaceUpdateFailed') reply.event('Warning', 'InPlaceUpdateFailed', message);
    return;
  }
  if (before !== undefined) reply.condition(CONDITION.updating, false, 'NotUpdating');
}

function reportUpToDate(reply: Reply, held: readonly Step[], outdated: readonly Step[], creating: number): void {
  if (held.length > 0) {
    reply.condition(
      CONDITION.upToDate,
      false,
      'Held',
      bounded(held.map((step) => `${step.name}: ${step.reason}: ${fieldsOf(step)}`)),
    );
    return;
  }
  if (outdated.length > 0) {
    reply.condition(
      CONDITION.upToDate,
      false,
      'RollingOut',
      bounded(outdated.map((step) => `${step.name}: ${step.reason}: ${fieldsOf(step)}`)),
    );
    return;
  }
  if (creating > 0) reply.condition(CONDITION.upToDate, false, 'Creating', `${creating} to come`);
  else reply.condition(CONDITION.upToDate, true, 'UpToDate');
}

function reportRollOut(reply: Reply, composite: KubeObject, outdated: readonly Step[], steps: readonly Step[]): void {
  const before = conditionOf(composite, CONDITION.rollingOut)?.status === 'True';
  if (outdated.length === 0) {
    reply.condition(CONDITION.rollingOut, false, 'NotRollingOut');
    if (before) reply.event('Normal', 'RolledOut', 'every machine is what is desired');
    return;
  }
  const updates = outdated.filter((step) => step.action === 'Update' || strongest(step.fields) === 'Update').length;
  const message = [
    ...(outdated.length > updates ? [`${outdated.length - updates} to be replaced`] : []),
    ...(updates > 0 ? [`${updates} to be updated in place`] : []),
  ].join(', ');
  reply.condition(CONDITION.rollingOut, true, 'RollingOut', message);
  if (!before) reply.event('Normal', 'RollingOut', `${message}: ${fieldsOf(outdated[0] ?? steps[0])}`);
}

/** The fields that make a successor necessary. */
function fieldsOf(step: Step | undefined): string {
  const paths = (step?.fields ?? [])
    .filter(({ decision }) => decision === strongest(step?.fields ?? []))
    .map(({ path }) => formatPath(path));
  const shown = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}

function bounded(messages: readonly string[]): string {
  const sorted = messages.toSorted();
  const shown = sorted.slice(0, 3).join('; ');
  return sorted.length > 3 ? `${shown}; and ${sorted.length - 3} more` : shown;
}
