/** What a Machine says of itself: status, conditions, and an event when it becomes a node or is lost. */
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
  /** What must be there before the virtual machine can be made. */
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

function statusOf(
  { machine, previous, observed }: Situation,
  { life, boot, bytes, machineKey }: Outcome,
): Record<string, Json> {
  const { node, virtualMachine } = life;
  const nodeRef = node.nodeRef === undefined ? previous.nodeRef?.name : node.nodeRef.name;
  const version = node.nodeInfo?.kubeletVersion ?? previous.version;
  const addresses = virtualMachine.addresses.length > 0 ? virtualMachine.addresses : (previous.addresses ?? []);
  const size = bytes ?? previous.payload?.bytes;
  const format = boot?.format ?? previous.payload?.format;
  return {
    phase: phaseOf(life, observed.has(machineKey)),
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

function phaseOf({ lost, nodeReady, node, instanceID }: Life, made: boolean): string {
  if (lost !== undefined) return 'Failed';
  if (nodeReady && node.nodeRef !== undefined) return 'Running';
  if (instanceID !== undefined) return 'Provisioned';
  return made ? 'Provisioning' : 'Pending';
}

function reportInfrastructure(
  reply: Reply,
  situation: Situation,
  { waiting, life, kept, notes, machineKey }: Outcome,
): void {
  const observed = situation.observed.get(machineKey);
  const stays = kept.length === 0 ? [] : [`${kept.join(', ')} stay as they are until the machine is replaced`];
  const problem =
    waiting ??
    (life.lost === undefined
      ? (whyNotReady(observed) ?? (life.virtualMachine.running ? undefined : 'the machine is not running'))
      : life.lost);
  const message = [...notes, ...stays, ...(problem === undefined ? [] : [problem])].join('; ');
  if (problem === undefined)
    reply.condition(CONDITION.infrastructureReady, true, 'Ready', message === '' ? undefined : message);
  else reply.condition(CONDITION.infrastructureReady, false, waiting === undefined ? 'NotReady' : 'Waiting', message);
  const before = conditionOf(situation.composite, CONDITION.infrastructureReady)?.message ?? '';
  for (const note of notes) if (!before.includes(note)) reply.event('Warning', 'InfrastructureNote', note);
}

function reportNode(reply: Reply, { composite, previous, observed }: Situation, { life, waiting }: Outcome): void {
  const before = conditionOf(composite, CONDITION.nodeHealthy);
  if (life.lost !== undefined) {
    reply.condition(CONDITION.nodeHealthy, false, 'MachineLost', life.lost);
    if (before?.reason !== 'MachineLost') reply.event('Warning', 'MachineLost', life.lost);
    return;
  }
  const name = life.node.nodeRef?.name;
  if (life.nodeReady && name !== undefined) {
    reply.condition(CONDITION.nodeHealthy, true, 'NodeHealthy');
    if (previous.nodeRef === undefined) reply.event('Normal', 'NodeRegistered', `Node ${name} registered`);
    return;
  }
  const why =
    waiting ??
    whyNotReady(observed.get(NODE)) ??
    conditionOf(observed.get(NODE), 'NodeHealthy')?.message ??
    'not ready yet';
  reply.condition(
    CONDITION.nodeHealthy,
    name === undefined ? 'Unknown' : false,
    name === undefined ? 'WaitingForNode' : 'NodeNotHealthy',
    why,
  );
}
