/** The status of a WorkloadNode: identity and health of its Node, and progress of its update. */
import { type Condition, SYNCED } from '#lib/api/conditions.ts';
import { nodeCondition } from '#lib/api/contracts/workload-node.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Report } from './decision.ts';
import { certificatesOf, expiryOf } from './certificates.ts';
import { isFlap } from './flap.ts';
import { refOf } from './marks.ts';
import { isReady, isUnreachable, nameOf } from './node.ts';
import type { NodeSituation } from './situation.ts';
import type { Advance } from './update.ts';
import { drainBegan, drainStatus } from './waiting.ts';

/** As many as the schema of WorkloadNode takes. */
const MOST = { conditions: 32, addresses: 16 } as const;

export function reportOf(situation: NodeSituation, node: KubeObject, advance: Advance | undefined): Report {
  const status: JsonObject = {
    ...refOf(node),
    nodeInfo: pick(at(node, 'status', 'nodeInfo'), ['kubeletVersion', 'osImage', 'containerRuntimeVersion']),
    addresses: list(node, 'addresses').slice(0, MOST.addresses),
    nodeConditions: list(node, 'conditions')
      .slice(0, MOST.conditions)
      .map((condition) => pick(condition, ['type', 'status', 'lastTransitionTime'])), // a heartbeat is no news
    certificates: certificatesOf(situation, node),
    ...(advance === undefined ? {} : { update: { ...advance.progress } }),
    drain: advance?.drain === undefined ? null : drainStatus(situation, timesOf(situation), advance.drain.pods),
  };
  const health = isFlap(situation, node) ? HEALTHY : healthOf(node);
  const expiry = expiryOf(situation);
  const update = updateConditions(advance);
  const types = new Set(update.map(({ type }) => type));
  const others = [...health.filter(({ type }) => !types.has(type)), ...(expiry === undefined ? [] : [expiry])];
  const without = types.has('Drained') ? {} : { without: ['Drained'] as const };
  return { status, conditions: [SYNCED, ...others, ...update], ...without };
}

function timesOf(situation: NodeSituation): Parameters<typeof drainStatus>[1] {
  return { startedAt: drainBegan(situation), podsGoneAt: undefined, unreachableSince: undefined };
}

const HEALTHY = [nodeCondition('Ready', 'Available'), nodeCondition('NodeHealthy', 'KubeletReady')] as const;

function healthOf(node: KubeObject): readonly Condition[] {
  if (isReady(node)) return HEALTHY;
  if (isUnreachable(node)) {
    const message = `the kubelet of Node "${nameOf(node)}" does not respond`;
    return [nodeCondition('Ready', 'NodeUnknown', message), nodeCondition('NodeHealthy', 'KubeletUnknown', message)];
  }
  const message = `Node "${nameOf(node)}" is not ready${hasNoNetwork(node) ? ': it has no pod network' : ''}`;
  return [nodeCondition('Ready', 'NodeNotReady', message), nodeCondition('NodeHealthy', 'KubeletNotReady', message)];
}

/** The kubelet's own words are not repeated: some of them change all the time. */
function hasNoNetwork(node: KubeObject): boolean {
  const ready = list(node, 'conditions').find((one) => stringAt(one, 'type') === 'Ready');
  return /NetworkPluginNotReady|cni plugin not initialized/i.test(stringAt(ready, 'message') ?? '');
}

/** A Node in an update is not available; one with a failed update needs attention. */
function updateConditions(advance: Advance | undefined): readonly Condition[] {
  if (advance === undefined) return [];
  const { progress, cordoned, drain } = advance;
  const { phase, message, id } = progress;
  const text = message === undefined ? `update ${id}` : `update ${id}: ${message}`;
  const updated = nodeCondition('Updated', phase, phase === 'Succeeded' ? undefined : text);
  if (!cordoned) return [updated];
  if (phase === 'Failed') return [nodeCondition('Ready', 'UpdateFailed', text), updated];
  const drained =
    drain === undefined ? nodeCondition('Drained', 'Drained') : nodeCondition('Drained', drain.reason, text);
  return [nodeCondition('Ready', 'Updating', text), updated, drained];
}

function list(node: KubeObject, key: string): readonly JsonObject[] {
  const found = at(node, 'status', key);
  return Array.isArray(found) ? (found as readonly Json[]).filter(isJsonObject) : [];
}

function pick(value: Json | undefined, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const found = stringAt(value, key);
      return found === undefined ? [] : [[key, found]];
    }),
  );
}
