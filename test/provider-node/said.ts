/** What a stage shows of its object, in one line each. */
import { conditionOf } from '#lib/api/conditions.ts';
import {
  NODE_CONDITIONS,
  type NodeConditionType,
  NodeConditionType as Types,
} from '#lib/api/contracts/workload-node.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Stage } from './player.ts';

/** A condition of the object: `False Draining: evicting pods`. */
export function said(stage: Stage, type: NodeConditionType): string | undefined {
  const condition = conditionOf(stage.object(), type);
  if (condition === undefined) return undefined;
  const { status, reason, message } = condition;
  return message === undefined ? `${status} ${reason}` : `${status} ${reason}: ${message}`;
}

/** The conditions of an object that the contract does not know, or knows with another status. */
export function strangersAmong(object: KubeObject | undefined): readonly string[] {
  const list = at(object, 'status', 'conditions');
  return (Array.isArray(list) ? (list as readonly Json[]) : []).filter(isJsonObject).flatMap((condition) => {
    const { status } = meaningOf(condition) ?? {};
    return status === condition['status'] ? [] : [JSON.stringify(condition)];
  });
}

function meaningOf(condition: JsonObject): { readonly status: string } | undefined {
  const type = Types.safeParse(condition['type']);
  if (!type.success) return undefined;
  const { reasons } = NODE_CONDITIONS[type.data];
  return new Map(Object.entries(reasons)).get(stringAt(condition, 'reason') ?? '');
}

/** Of its update: `one Running`. */
export function updateOf(stage: Stage): string {
  const update = at(stage.object(), 'status', 'update');
  return `${stringAt(update, 'id')} ${stringAt(update, 'phase')}`;
}

export function labelsOf(stage: Stage): Readonly<Record<string, string>> {
  return stage.node()?.metadata?.labels ?? {};
}

export function taintsOf(stage: Stage): readonly string[] {
  const taints = (at(stage.node(), 'spec', 'taints') ?? []) as readonly KubeObject[];
  return taints.map((taint) => `${stringAt(taint, 'key')}:${stringAt(taint, 'effect')}`).toSorted();
}

export function isCordoned(stage: Stage): boolean {
  return at(stage.node(), 'spec', 'unschedulable') === true;
}

/** Of its events. */
export function cordons({ events }: Stage): readonly string[] {
  return events.filter((event) => event === 'cordoned' || event === 'uncordoned');
}

/** Of its events, by name. */
export function evicted({ events }: Stage): readonly string[] {
  return events.filter((event) => event.startsWith('evicted')).toSorted();
}

/** Of its events, without evictions: their order is not fixed. */
export function inOrder({ events }: Stage): readonly string[] {
  return events.filter((event) => !event.startsWith('evicted'));
}
