/** Status, conditions and events of a Machine. */
import type { MachineUpdateStatus } from '#lib/api/contracts/machine-update.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { reportInfrastructure } from './infrastructure-ready.ts';
import { reportNode } from './node-healthy.ts';
import type { Planned, Progress } from './progress.ts';
import type { Situation } from './situation.ts';
import { statusOf } from './status.ts';
import { updateStatus, withdrawn } from './update.ts';

/** @param planned undefined if nothing was planned: the previous report stays */
export function report(reply: Reply, situation: Situation, progress: Progress, planned?: Planned): void {
  const update = updateOf(situation, planned);
  reply.status(statusOf(situation, progress, planned?.bytes, update));
  reportInfrastructure(reply, situation, progress, planned);
  reportNode(reply, situation, progress, update);
  if (update !== undefined) reportUpdate(reply, situation.previous.update, update);
}

/** State of the update; if it is not known now, the previous state. */
function updateOf({ machine, previous }: Situation, planned: Planned | undefined): MachineUpdateStatus | undefined {
  if (planned?.update !== undefined) return updateStatus(planned.update, planned);
  return machine.spec.update === undefined ? withdrawn(previous.update) : previous.update;
}

/** Only for a machine with a requested update. */
function reportUpdate(reply: Reply, before: MachineUpdateStatus | undefined, update: MachineUpdateStatus): void {
  const { id, phase, message } = update;
  const text = `update ${id}${message === undefined ? '' : `: ${message}`}`;
  if (phase === 'Succeeded') reply.condition(CONDITION.updating, false, 'NotUpdating');
  else reply.condition(CONDITION.updating, phase !== 'Failed', phase === 'Failed' ? 'UpdateFailed' : phase, text);
  if (before?.id === id && before.phase === phase) return;
  if (phase === 'Failed') reply.event('Warning', 'UpdateFailed', text);
  else if (phase === 'Succeeded') reply.event('Normal', 'Updated', text);
  else if (phase !== 'Pending' && (before?.id !== id || before.phase === 'Pending'))
    reply.event('Normal', 'Updating', `${text} is ${phase}`);
}
