/** Status, conditions and events of objects that the previous step keeps as they are: which wait, and for what. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { Group } from '#lib/api/contracts/group.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { slotOfMember } from './plan/group.ts';
import { orderedOf } from './plan/order.ts';
import { HELD } from './plan/reasons.ts';
import { frozen, type Member, type Step } from './plan/step.ts';
import { differingSentence, reportUpdating, sizeOf } from './report.ts';

interface Kept {
  /** Undefined: they were not compared with the claim, and what was said of them before stays. */
  readonly held: Group['held'];
  /** Of objects besides them. */
  readonly steps: readonly Step[];
  readonly status: Readonly<Record<string, unknown>>;
}

export function reportKept(
  reply: Reply,
  composite: KubeObject,
  kept: readonly Member[],
  { held, steps, status }: Kept,
): void {
  reportUpdating(reply, composite, kept.map(stepOf));
  if (held === undefined) return;
  const { reason, message, differing } = held;
  const isWaiting = differing.length > 0;
  const isHeld = isWaiting && (status['phase'] === 'Running' || status['phase'] === 'Provisioning');
  reply.status({ upToDateReplicas: kept.length - differing.length, ...(isHeld ? { phase: 'Held' } : {}) });
  if (conditionOf(composite, CONDITION.rollingOut) !== undefined)
    reply.condition(CONDITION.rollingOut, false, 'NotRollingOut', isWaiting ? message : undefined);
  const type = CONDITION.upToDate;
  if (isWaiting) {
    const sentence = differingSentence(held);
    if (conditionOf(composite, type)?.reason !== reason) reply.event('Warning', reason, sentence);
    return void reply.condition(type, false, reason, sentence);
  }
  const creating = steps.filter(({ action }) => action === 'Create' || action === 'Wait').length;
  const missing = Math.max(sizeOf(composite) - kept.length, creating);
  if (missing > 0) reply.condition(type, false, 'Creating', `${missing} still to be created`);
  else reply.condition(type, true, 'UpToDate');
}

/** What runs already ends, whatever keeps the object from a next change. */
function stepOf(member: Member): Step {
  const ordered = orderedOf(member.object);
  const { progress, order, phase, message } = ordered;
  const isOpen = progress === 'Pending' || progress === 'UnderWay';
  const reason = progress === 'Failed' ? HELD.failed(message) : `its update ${order?.id ?? ''} is ${phase}`;
  const one = frozen('Keep', slotOfMember(member), { member, fields: [], ordered }, reason);
  return { ...one, ...(isOpen ? { action: 'Update' } : {}), ...(isOpen || progress === 'Failed' ? { ordered } : {}) };
}
