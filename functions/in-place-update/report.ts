/** What the update step says: how many are up to date, what is under way, what is held and because of which fields. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { formatPath } from './diff.ts';
import type { Step } from './plan/step.ts';

export function report(
  reply: Reply,
  composite: KubeObject,
  steps: readonly Step[],
  status: Readonly<Record<string, unknown>>,
): void {
  const held = steps.filter(({ action }) => action === 'Hold');
  const outdated = steps.filter(({ action, upToDate }) => action === 'Keep' && !upToDate);
  const creating = steps.filter(({ action }) => action === 'Create' || action === 'Wait');
  const existing = steps.filter(({ upToDate, out }) => upToDate && out !== undefined);
  const rolling = outdated.length > 0;
  reply.status({
    upToDateReplicas: existing.length,
    ...(rolling && status['phase'] === 'Running' ? { phase: 'RollingOut' } : {}),
  });
  reportUpToDate(reply, held, outdated, creating.length);
  reportRollOut(reply, composite, outdated, steps);
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
  const message = `${outdated.length} to be replaced`;
  reply.condition(CONDITION.rollingOut, true, 'RollingOut', message);
  if (!before) reply.event('Normal', 'RollingOut', `${message}: ${fieldsOf(outdated[0] ?? steps[0])}`);
}

/** The fields that make a successor necessary. */
function fieldsOf(step: Step | undefined): string {
  const paths = (step?.fields ?? [])
    .filter(({ decision }) => decision === 'Recreate' || decision === 'Hold')
    .map(({ path }) => formatPath(path));
  const shown = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}

function bounded(messages: readonly string[]): string {
  const sorted = messages.toSorted();
  const shown = sorted.slice(0, 3).join('; ');
  return sorted.length > 3 ? `${shown}; and ${sorted.length - 3} more` : shown;
}
