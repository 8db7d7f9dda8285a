/** What a Machine says of itself: status, conditions, and an event when one of them changes. */
import { conditionOf, whyNotReady } from '#lib/api/conditions.ts';
import type { MachineUpdateStatus } from '#lib/api/contracts/machine-update.ts';
import type { Json, JsonObject } from '#lib/api/json.ts';
import type { MachineStatus } from '#lib/api/kinds/machine.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Life } from './life.ts';
import { NODE } from './node.ts';
import { payloadName, type FirstBoot } from './payload.ts';
import type { Situation } from './situation.ts';
import { type Update, updateStatus } from './update.ts';

export interface Outcome {
  readonly life: Life;
  readonly boot: FirstBoot | undefined;
  /** Size of the first-boot data as handed to the cloud. */
  readonly bytes: number | undefined;
  /** What must be there before the virtual machine can be made or changed. */
  readonly waiting: string | undefined;
  readonly kept: readonly string[];
  readonly notes: readonly string[];
  /** Composition resource name of the virtual machine. */
  readonly machineKey: string;
  /** Undefined: none was ordered, or nothing can be said of it now. */
  readonly update: Update | undefined;
  /** Why the cloud has not what the update released. */
  readonly unfinished: string | undefined;
}

export function report(reply: Reply, situation: Situation, outcome: Outcome): void {
  const told = progressOf(situation, outcome);
  reply.status(statusOf(situation, outcome, told));
  reportInfrastructure(reply, situation, outcome);
  reportNode(reply, situation, outcome, told);
  if (told !== undefined) reportUpdate(reply, situation.previous.update, told);
}

function statusOf(situation: Situation, outcome: Outcome, told: MachineUpdateStatus | undefined): Record<string, Json> {
  const { life, boot, bytes, machineKey } = outcome;
  const { machine, previous, observed } = situation;
  const { node, virtualMachine } = life;
  const nodeRef = nodeName(situation, life);
  const version = node.nodeInfo?.kubeletVersion ?? previous.version;
  const addresses = virtualMachine.addresses.length > 0 ? virtualMachine.addresses : (previous.addresses ?? []);
  const size = bytes ?? previous.payload?.bytes;
  const conditions = node.nodeConditions ?? previous.nodeConditions;
  const format = boot?.format ?? previous.payload?.format;
  return {
    phase: phaseOf(situation, life, observed.has(machineKey), told?.phase),
    ...(life.providerID === undefined ? {} : { providerID: life.providerID }),
    ...(life.instanceID === undefined ? {} : { instanceID: life.instanceID }),
    ...(nodeRef === undefined ? {} : { nodeRef: { name: nodeRef } }),
    ...(addresses.length === 0 ? {} : { addresses: addresses.map(({ type, address }) => ({ type, address })) }),
    ...(version === undefined ? {} : { version }),
    // Without heartbeats: a status that changes every few seconds would open the circuit breaker.
    ...(conditions === undefined ? {} : { nodeConditions: conditions.filter(isNews).map(handedOn) }),
    ...(life.failureDomain === undefined ? {} : { failureDomain: life.failureDomain }),
    ...(format === undefined || size === undefined
      ? {}
      : { payload: { secretName: payloadName(machine.metadata.name), format, bytes: size } }),
    ...(told === undefined
      ? {}
      : {
          update: { id: told.id, phase: told.phase, ...(told.message === undefined ? {} : { message: told.message }) },
        }),
  };
}

/** How the update is; nothing can be said of it now: what was said before. */
function progressOf({ previous }: Situation, { update, unfinished }: Outcome): MachineUpdateStatus | undefined {
  return update === undefined ? previous.update : updateStatus(update, unfinished);
}

function handedOn({
  type,
  status,
  lastTransitionTime,
}: NonNullable<MachineStatus['nodeConditions']>[number]): JsonObject {
  return { type, status, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
}

/** What every Node has and nobody acts on while it is False; a pool of a thousand machines carries it a thousand times. */
const PRESSURES: ReadonlySet<string> = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']);

function isNews({ type, status }: NonNullable<MachineStatus['nodeConditions']>[number]): boolean {
  return status !== 'False' || !PRESSURES.has(type);
}

/** The node, for ever once it registered. */
function nodeName({ previous }: Situation, { node }: Life): string | undefined {
  return node.nodeRef?.name ?? previous.nodeRef?.name;
}

const UNDER_WAY: ReadonlySet<string> = new Set(['Draining', 'Running', 'Verifying']);

/** Cluster API's phases: how far the machine came, not how well it is; NodeHealthy says that. */
function phaseOf(situation: Situation, life: Life, made: boolean, update: string | undefined): string {
  if (situation.machine.metadata.deletionTimestamp !== undefined) return 'Deleting';
  if (life.lost !== undefined) return 'Failed';
  if (update !== undefined && UNDER_WAY.has(update)) return 'Updating';
  if (nodeName(situation, life) !== undefined) return 'Running';
  if (life.instanceID !== undefined && life.virtualMachine.running) return 'Provisioned';
  return made ? 'Provisioning' : 'Pending';
}

function reportInfrastructure(reply: Reply, situation: Situation, outcome: Outcome): void {
  const { waiting, life, kept, notes } = outcome;
  const type = CONDITION.infrastructureReady;
  const before = conditionOf(situation.composite, type);
  const made = situation.observed.has(outcome.machineKey);
  const remarks = [
    ...notes,
    ...(kept.length === 0 ? [] : [`kept until the machine is replaced: ${kept.join(', ')}`]),
    ...(made && waiting !== undefined ? [waiting] : []),
  ];
  const problem = problemOf(situation, outcome);
  const message = [...remarks, ...(problem === undefined ? [] : [problem])].join('; ');
  if (problem === undefined) reply.condition(type, true, 'Ready', message === '' ? undefined : message);
  else reply.condition(type, false, made || life.lost !== undefined ? 'NotReady' : 'Waiting', message);

  for (const note of notes)
    if (before?.message?.includes(note) !== true) reply.event('Warning', 'InfrastructureNote', note);
  if (problem !== undefined && before?.status === 'True') reply.event('Warning', 'InfrastructureNotReady', problem);
  if (life.instanceID !== undefined && situation.previous.instanceID === undefined)
    reply.event('Normal', 'MachineCreated', `The cloud made machine ${life.instanceID}`);
}

/** Why the virtual machine does not serve; a refused change first, as the provider worded it. */
function problemOf({ observed }: Situation, { life, waiting, machineKey }: Outcome): string | undefined {
  if (life.lost !== undefined) return life.lost;
  const object = observed.get(machineKey);
  if (object === undefined) return waiting ?? 'the machine is not created yet';
  return whyNotReady(object) ?? (life.virtualMachine.running ? undefined : 'the machine is not running');
}

function reportNode(reply: Reply, situation: Situation, outcome: Outcome, told: MachineUpdateStatus | undefined): void {
  const { life, waiting } = outcome;
  const { composite, previous, observed } = situation;
  const type = CONDITION.nodeHealthy;
  const before = conditionOf(composite, type);
  if (life.lost !== undefined) {
    reply.condition(type, false, 'MachineLost', life.lost);
    if (before?.reason !== 'MachineLost') reply.event('Warning', 'MachineLost', life.lost);
    return;
  }
  const name = nodeName(situation, life);
  if (name !== undefined && previous.nodeRef === undefined)
    reply.event('Normal', 'NodeRegistered', `Node ${name} registered`);
  if (life.nodeReady && name !== undefined) {
    reply.condition(type, true, 'NodeHealthy');
    return;
  }
  const node = observed.get(NODE);
  const why =
    (node === undefined ? waiting : undefined) ??
    whyNotReady(node) ??
    conditionOf(node, 'NodeHealthy')?.message ??
    'the Node is not ready';
  if (name === undefined) {
    reply.condition(type, 'Unknown', 'WaitingForNode', why);
    return;
  }
  // The workload cluster cannot be asked: that says nothing about the Node.
  if (conditionOf(node, 'Synced')?.status === 'False') {
    reply.condition(type, 'Unknown', 'NodeHealthUnknown', why);
    return;
  }
  // Its node is expected to be away.
  if (told !== undefined && UNDER_WAY.has(told.phase)) {
    reply.condition(type, false, 'Updating', why);
    return;
  }
  reply.condition(type, false, 'NodeNotHealthy', why);
  if (before?.status === 'True') reply.event('Warning', 'NodeNotHealthy', why);
}

/** Only for a machine that was ordered to update. */
function reportUpdate(reply: Reply, before: MachineUpdateStatus | undefined, told: MachineUpdateStatus): void {
  const { id, phase, message } = told;
  const text = `update ${id}${message === undefined ? '' : `: ${message}`}`;
  if (phase === 'Succeeded') reply.condition(CONDITION.updating, false, 'NotUpdating');
  else reply.condition(CONDITION.updating, phase !== 'Failed', phase === 'Failed' ? 'UpdateFailed' : phase, text);
  if (before?.id === id && before.phase === phase) return;
  if (phase === 'Failed') reply.event('Warning', 'UpdateFailed', text);
  else if (phase === 'Succeeded') reply.event('Normal', 'Updated', text);
  else if (phase !== 'Pending' && (before?.id !== id || before.phase === 'Pending'))
    reply.event('Normal', 'Updating', `${text} is ${phase}`);
}
