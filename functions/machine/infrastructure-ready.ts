/** The condition InfrastructureReady of a Machine: whether its virtual machine is running, and why not. */
import {
  type Condition,
  conditionOf,
  INSUFFICIENT_CAPACITY,
  isNotCreated,
  NOT_CREATED,
  whyNotReady,
} from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { MachineState } from './state.ts';
import type { Planned, Progress } from './progress.ts';
import type { Situation } from './situation.ts';

export function reportInfrastructure(
  reply: Reply,
  situation: Situation,
  progress: Progress,
  { notes, kept }: Pick<Planned, 'notes' | 'kept'> = { notes: [], kept: [] },
): void {
  const { waiting, state } = progress;
  const type = CONDITION.infrastructureReady;
  const before = conditionOf(situation.composite, type);
  const object = situation.observed.get(progress.machineKey);
  const problem = problemOf(situation, progress);
  const message = [
    ...notes,
    ...(kept.length === 0 ? [] : [`kept until the machine is replaced: ${kept.join(', ')}`]),
    ...(object !== undefined && waiting !== undefined ? [waiting] : []),
    ...(problem === undefined ? [] : [problem]),
  ].join('; ');
  if (problem === undefined) reply.condition(type, true, 'Ready', message === '' ? undefined : message);
  else reply.condition(type, false, reasonOf(state, object), message);

  for (const note of notes)
    if (before?.message?.includes(note) !== true) reply.event('Warning', 'InfrastructureNote', note);
  if (problem !== undefined) announce(reply, state, problem, before);
  if (state.instanceID !== undefined && situation.previous.instanceID === undefined)
    reply.event('Normal', 'MachineCreated', `The cloud created machine ${state.instanceID}`);
}

/** A problem is reported once when it begins. */
function announce(reply: Reply, state: MachineState, problem: string, before: Condition | undefined): void {
  if (before?.status === 'True') reply.event('Warning', 'InfrastructureNotReady', problem);
  if (isOutOfCapacity(state) && before?.reason !== INSUFFICIENT_CAPACITY)
    reply.event('Warning', INSUFFICIENT_CAPACITY, problem);
}

function reasonOf(state: MachineState, object: KubeObject | undefined): string {
  if (isOutOfCapacity(state)) return INSUFFICIENT_CAPACITY;
  return state.lost !== undefined || !isNotCreated(object) ? 'NotReady' : 'Waiting';
}

/** Only before there is an id: an existing machine is not moved to another failure domain. */
function isOutOfCapacity({ lost, instanceID, virtualMachine }: MachineState): boolean {
  return lost === undefined && instanceID === undefined && virtualMachine.noCapacity !== undefined;
}

/** Why the virtual machine is not ready; a refused change first, in the words of the provider. */
function problemOf({ observed }: Situation, { state, waiting, machineKey }: Progress): string | undefined {
  if (state.lost !== undefined) return state.lost;
  const object = observed.get(machineKey);
  if (object === undefined) return waiting ?? `the machine is ${NOT_CREATED}`;
  if (isOutOfCapacity(state)) return state.virtualMachine.noCapacity;
  if (isNotCreated(object)) return `the machine is ${NOT_CREATED}`;
  return whyNotReady(object) ?? (state.virtualMachine.running ? undefined : 'the machine is not running');
}
