/** What a Machine says of itself: status, conditions, and an event when one of them changes. */
import { conditionOf, whyNotReady } from '#lib/api/conditions.ts';
import type { Json } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Life } from './life.ts';
import { NODE } from './node.ts';
import { payloadName, type FirstBoot } from './payload.ts';
import type { Situation } from './situation.ts';

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
}

export function report(reply: Reply, situation: Situation, outcome: Outcome): void {
  reply.status(statusOf(situation, outcome));
  reportInfrastructure(reply, situation, outcome);
  reportNode(reply, situation, outcome);
}

function statusOf(situation: Situation, { life, boot, bytes, machineKey }: Outcome): Record<string, Json> {
  const { machine, previous, observed } = situation;
  const { node, virtualMachine } = life;
  const nodeRef = nodeName(situation, life);
  const version = node.nodeInfo?.kubeletVersion ?? previous.version;
  const addresses = virtualMachine.addresses.length > 0 ? virtualMachine.addresses : (previous.addresses ?? []);
  const size = bytes ?? previous.payload?.bytes;
  const format = boot?.format ?? previous.payload?.format;
  return {
    phase: phaseOf(situation, life, observed.has(machineKey)),
    ...(life.providerID === undefined ? {} : { providerID: life.providerID }),
    ...(life.instanceID === undefined ? {} : { instanceID: life.instanceID }),
    ...(nodeRef === undefined ? {} : { nodeRef: { name: nodeRef } }),
    ...(addresses.length === 0 ? {} : { addresses: addresses.map(({ type, address }) => ({ type, address })) }),
    ...(version === undefined ? {} : { version }),
    ...(life.failureDomain === undefined ? {} : { failureDomain: life.failureDomain }),
    ...(format === undefined || size === undefined
      ? {}
      : { payload: { secretName: payloadName(machine.metadata.name), format, bytes: size } }),
  };
}

/** The node, for ever once it registered. */
function nodeName({ previous }: Situation, { node }: Life): string | undefined {
  return node.nodeRef?.name ?? previous.nodeRef?.name;
}

/** Cluster API's phases: how far the machine came, not how well it is; NodeHealthy says that. */
function phaseOf(situation: Situation, life: Life, made: boolean): string {
  if (situation.machine.metadata.deletionTimestamp !== undefined) return 'Deleting';
  if (life.lost !== undefined) return 'Failed';
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

function reportNode(reply: Reply, situation: Situation, { life, waiting }: Outcome): void {
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
  reply.condition(type, false, 'NodeNotHealthy', why);
  if (before?.status === 'True') reply.event('Warning', 'NodeNotHealthy', why);
}
