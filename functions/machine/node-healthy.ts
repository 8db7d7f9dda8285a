/** The condition NodeHealthy of a Machine: whether its node is ready, why not, and whether this is known. */
import { conditionOf, isNotCreated, waitingForNode, whyNotReady } from '#lib/api/conditions.ts';
import type { MachineUpdateStatus } from '#lib/api/contracts/machine-update.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { NODE } from './node.ts';
import type { Progress } from './progress.ts';
import type { Situation } from './situation.ts';
import { isAtWork, nodeName } from './status.ts';

export function reportNode(
  reply: Reply,
  situation: Situation,
  progress: Progress,
  update: MachineUpdateStatus | undefined,
): void {
  const { state } = progress;
  const type = CONDITION.nodeHealthy;
  const before = conditionOf(situation.composite, type);
  const name = nodeName(situation, state);
  const { status, reason, message } = healthOf(situation, progress, update);
  if (state.lost === undefined && name !== undefined && situation.previous.nodeRef === undefined)
    reply.event('Normal', 'NodeRegistered', `Node ${name} registered`);
  reply.condition(type, status, reason, message);
  if (message === undefined) return;
  if (reason === 'MachineLost' && before?.reason !== reason) reply.event('Warning', reason, message);
  if ((reason === 'NodeNotHealthy' || reason === 'NodeGone') && before?.status === 'True')
    reply.event('Warning', reason, message);
}

interface NodeHealth {
  /** Unknown if the node cannot be queried. */
  readonly status: boolean | 'Unknown';
  readonly reason:
    'MachineLost' | 'NodeGone' | 'NodeHealthy' | 'NodeHealthUnknown' | 'NodeNotHealthy' | 'Updating' | 'WaitingForNode';
  readonly message?: string;
}

function healthOf(situation: Situation, progress: Progress, update: MachineUpdateStatus | undefined): NodeHealth {
  const { state } = progress;
  if (state.lost !== undefined) return { status: false, reason: 'MachineLost', message: state.lost };
  const name = nodeName(situation, state);
  if (state.nodeReady && name !== undefined) return { status: true, reason: 'NodeHealthy' };
  const message = whyNot(situation, progress);
  if (name === undefined) return { status: 'Unknown', reason: 'WaitingForNode', message };
  // The workload cluster cannot be reached, which says nothing about the Node.
  if (conditionOf(situation.observed.get(NODE), 'Synced')?.status === 'False')
    return { status: 'Unknown', reason: 'NodeHealthUnknown', message };
  if (isAtWork(update?.phase)) return { status: false, reason: 'Updating', message };
  // It was there: somebody deleted it, and its kubelet registers only when it starts.
  const isGone = conditionOf(situation.observed.get(NODE), 'Ready')?.reason === 'WaitingForNode';
  return { status: false, reason: isGone ? 'NodeGone' : 'NodeNotHealthy', message };
}

function whyNot({ machine, observed }: Situation, { boot, waiting }: Progress): string {
  const node = observed.get(NODE);
  if (node === undefined && boot === undefined && waiting !== undefined) return waiting;
  if (isNotCreated(node)) return waitingForNode(machine.metadata.name);
  return whyNotReady(node) ?? conditionOf(node, 'NodeHealthy')?.message ?? 'the Node is not ready';
}
