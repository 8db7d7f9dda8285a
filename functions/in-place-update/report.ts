/**
 * Status, conditions and events of the update step: how many machines are up to date, what is in progress, and what is
 * held because of which fields.
 */
import { conditionOf } from '#lib/api/conditions.ts';
import type { Group } from '#lib/api/contracts/group.ts';
import { counted } from '#lib/api/counted.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { atMostThree, firstNames } from '#lib/api/shortened.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { formatPath } from './change.ts';
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
  { held: waits, status }: { readonly held: Group['held']; readonly status: Readonly<Record<string, unknown>> },
): void {
  const held = steps.filter(({ action }) => action === 'Hold');
  const outdated = steps.filter(({ action, upToDate }) => (action === 'Keep' || action === 'Update') && !upToDate);
  const creating = steps.filter(({ action }) => action === 'Create' || action === 'Wait');
  const existing = steps.filter(({ upToDate, out }) => upToDate && out !== undefined);
  const plan = summaryOf(steps, entries);
  const rolling = outdated.filter(({ release }) => release === undefined);
  const phase = phaseOf(status['phase'], held, rolling, creating.length);
  reply.status({
    upToDateReplicas: existing.length,
    ...(phase === undefined ? {} : { phase }),
    ...(plan === undefined ? {} : { plan }),
  });
  // A control plane asks for one machine after another: those that it does not ask for yet are missing, too.
  const present = steps.filter(({ action, out }) => out !== undefined && action !== 'Create');
  const missing = Math.max(sizeOf(composite) - present.length, creating.length);
  reportUpToDate(reply, composite, held, outdated, missing, waits);
  reportRollOut(reply, composite, rolling, steps);
  reportUpdating(reply, composite, steps);
}

/** How many machines its claim asks for: it is not up to date before it has them. 0: as many as there are. */
export function sizeOf(composite: KubeObject): number {
  const replicas = at(composite, 'spec', 'replicas');
  return typeof replicas === 'number' ? replicas : 0;
}

/** Changes the phase of the previous step if necessary; undefined: no change. */
function phaseOf(
  before: unknown,
  held: readonly Step[],
  outdated: readonly Step[],
  creating: number,
): string | undefined {
  const names = new Set(held.map(({ name }) => name));
  const moving = outdated.some(({ blockedBy = '' }) => !names.has(blockedBy));
  // A machine with a failed update is not ready, but that does not mean that the pool is provisioning.
  if (held.length > 0 && !moving && creating === 0 && (before === 'Running' || before === 'Provisioning'))
    return 'Held';
  return outdated.length > 0 && before === 'Running' ? 'RollingOut' : undefined;
}

/** Invalid rules: a condition as long as they exist, and one event. */
export function reportFaults(reply: Reply, composite: KubeObject, book: Rulebook, steps: readonly Step[]): void {
  const failed = steps.flatMap(({ fields }) => fields.flatMap(({ fault }) => fault ?? []));
  const lines = [...new Set([...book.faults, ...failed].map(({ at, message }) => `${at}.${message}`))];
  const before = conditionOf(composite, CONDITION.updateRulesAccepted);
  if (lines.length === 0) {
    if (before !== undefined) reply.condition(CONDITION.updateRulesAccepted, true, 'Accepted');
    return;
  }
  const message = `${atMostThree(lines)}; changes that these rules may decide are held`;
  reply.condition(CONDITION.updateRulesAccepted, false, 'InvalidRule', message);
  if (before?.status !== 'False' || before.message !== message) reply.event('Warning', 'InvalidRule', message);
}

/** Only for a group with an in-place update now or earlier. */
export function reportUpdating(reply: Reply, composite: KubeObject, steps: readonly Step[]): void {
  const updating = steps.filter(({ action }) => action === 'Update');
  const before = conditionOf(composite, CONDITION.updating);
  if (updating.length > 0) {
    const message = sentences(updating);
    reply.condition(CONDITION.updating, true, 'InPlaceUpdating', message);
    const count = `${counted(updating.length, 'machine')} ${updating.length === 1 ? 'is' : 'are'}`;
    if (before?.status !== 'True') reply.event('Normal', 'InPlaceUpdating', `${count} being updated in place`);
    return;
  }
  const failed = steps.filter(({ ordered }) => ordered?.progress === 'Failed');
  if (failed.length > 0) {
    const message = sentences(failed);
    reply.condition(CONDITION.updating, false, 'InPlaceUpdateFailed', message);
    if (before?.reason !== 'InPlaceUpdateFailed') reply.event('Warning', 'InPlaceUpdateFailed', message);
    return;
  }
  if (before !== undefined) reply.condition(CONDITION.updating, false, 'NotUpdating');
}

function reportUpToDate(
  reply: Reply,
  composite: KubeObject,
  held: readonly Step[],
  outdated: readonly Step[],
  missing: number,
  waits: Group['held'],
): void {
  const type = CONDITION.upToDate;
  reportHeld(reply, conditionOf(composite, type)?.reason === 'Held', held);
  if (held.length > 0) return void reply.condition(type, false, 'Held', sentences(held));
  if (outdated.length > 0) return void reply.condition(type, false, 'RollingOut', sentences(outdated));
  if (waits !== undefined && waits.differing.length > 0)
    return void reply.condition(type, false, waits.reason, differingSentence(waits));
  if (missing > 0) reply.condition(type, false, 'Creating', `${missing} still to be created`);
  else reply.condition(type, true, 'UpToDate');
}

/** Which machines wait, and for what. */
export function differingSentence({ differing, message }: NonNullable<Group['held']>): string {
  return `${firstNames(differing, 3)} ${differing.length === 1 ? 'differs' : 'differ'} from the claim: ${message}`;
}

/** Once when it begins and once when it ends. A failed update has its own event. */
function reportHeld(reply: Reply, before: boolean, held: readonly Step[]): void {
  const waiting = held.filter(({ ordered }) => ordered?.progress !== 'Failed');
  if (!before && waiting.length > 0) reply.event('Warning', 'Held', sentences(waiting));
  if (before && held.length === 0) reply.event('Normal', 'NoLongerHeld', 'no machine is held any more');
}

/** The machine, what differs, and why; the end of the reason says what to do. */
function sentenceOf(step: Step): string {
  const fields = fieldsOf(step);
  return `${step.name}${fields === '' ? '' : ` (${fields})`}: ${step.reason}`;
}

function reportRollOut(reply: Reply, composite: KubeObject, outdated: readonly Step[], steps: readonly Step[]): void {
  const before = conditionOf(composite, CONDITION.rollingOut)?.status === 'True';
  if (outdated.length === 0) {
    // The replacement of a deleted machine may still be missing, so the roll-out is not over.
    const going = steps.filter(({ action }) => action === 'Drop' || action === 'Create' || action === 'Wait').length;
    if (before && going > 0) {
      reply.condition(CONDITION.rollingOut, true, 'RollingOut', 'the last machines are being replaced');
      return;
    }
    reply.condition(CONDITION.rollingOut, false, 'NotRollingOut');
    const isHeld = steps.some(({ action }) => action === 'Hold');
    if (before && !isHeld) reply.event('Normal', 'RolledOut', 'every machine matches the claim');
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

/** The fields that decide; for a running update, whose fields do not differ any more, the fields of the update. */
function fieldsOf(step: Step | undefined): string {
  const deciding = (step?.fields ?? []).filter(({ decision }) => decision !== 'Patch' && decision !== 'Ignore');
  const differing = deciding.filter(({ decision }) => decision === strongest(deciding));
  const ordered = step?.ordered?.order?.updaters.flatMap(({ fields }) => fields) ?? [];
  const paths = differing.length > 0 ? differing.map(({ path }) => formatPath(path)) : [...new Set(ordered)].toSorted();
  return firstNames(paths, 3);
}

function sentences(steps: readonly Step[]): string {
  return atMostThree(steps.map(sentenceOf).toSorted());
}
