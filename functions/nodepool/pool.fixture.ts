/** Pools in memory, for tests of one call: what is observed, and what the step answers. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster, aNodePool, conditions, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { aRequest, type RequestParts } from '../../test/support/request.ts';
import { run } from './fn.ts';

export type World = Partial<RequestParts> & {
  readonly pool?: KubeObject;
  readonly cluster?: KubeObject;
  readonly machines?: readonly KubeObject[];
};

export function request({ pool = aNodePool(), cluster = aCluster(), machines = [], ...parts }: World): Request {
  const observed = Object.fromEntries(machines.map((machine) => [machine.metadata?.name ?? '', machine]));
  return aRequest({ composite: pool, observed, required: { cluster: [cluster], machines }, ...parts });
}

export const composed = (reply: ReplyData): readonly KubeObject[] =>
  [...reply.resources.values()].map(({ resource }) => resource);
export const slots = (reply: ReplyData): readonly string[] => [...reply.resources.keys()];
export const condition = (reply: ReplyData, type: string) => reply.conditions.find((one) => one.type === type);

/** Machines as the pool makes them, observed ready. */
export async function made(pool: KubeObject, ready = true): Promise<readonly KubeObject[]> {
  return composed(await replyOf(run, request({ pool }))).map((machine) =>
    withStatus(machine, { ...conditions(ready), nodeRef: { name: machine.metadata?.name ?? '' } }),
  );
}

/** When the machines of `grown` were made: that of slot 0 first, one a minute. */
export const NOON = '2026-01-01T12:00:00Z';

export function after(seconds: number, from = NOON): string {
  return new Date(Date.parse(from) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Ready machines with a time of creation, as a pool of that many makes them. */
export async function grown(replicas: number): Promise<readonly KubeObject[]> {
  const machines = await made(aNodePool({ spec: { replicas } }));
  return machines.map((machine, index) => marked(machine, { creationTimestamp: after(index * 60) }));
}

export function marked(
  machine: KubeObject,
  metadata: { readonly creationTimestamp?: string; readonly annotations?: Readonly<Record<string, string>> },
): KubeObject {
  return { ...machine, metadata: { ...machine.metadata, ...metadata } };
}

/** The machines with some of them turned into others, by index. */
export function but(
  machines: readonly KubeObject[],
  changes: Readonly<Record<number, (machine: KubeObject) => KubeObject>>,
): readonly KubeObject[] {
  return machines.map((machine, index) => changes[index]?.(machine) ?? machine);
}

const bad = (reason: string, since: string): JsonObject => ({
  type: 'NodeHealthy',
  status: 'False',
  reason,
  lastTransitionTime: since,
});

/** The cloud gave it another id, or none. */
export const lost =
  (since = NOON) =>
  (machine: KubeObject): KubeObject =>
    withStatus(machine, conditions(false, [bad('MachineLost', since)]));

/** Its Node is not ready. */
export const notReady =
  (since: string) =>
  (machine: KubeObject): KubeObject =>
    withStatus(machine, conditions(false, [bad('NodeNotHealthy', since)]));

/** It was made and never became a Node. */
export const starting = (machine: KubeObject): KubeObject => {
  const { nodeRef: _node, ...status } = machine.status ?? {};
  return { ...machine, status: { ...status, ...conditions(false) } };
};
