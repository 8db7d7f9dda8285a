/** Pools in memory, for tests of one call: observed objects, and the reply of the step. */
import { Group } from '#lib/api/contracts/group.ts';
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

/** The machines. */
export const composed = (reply: ReplyData): readonly KubeObject[] =>
  [...reply.resources.values()].map(({ resource }) => resource).filter(({ kind }) => kind === 'Machine');
/** Composition resource names of machines except released ones. */
export const slots = (reply: ReplyData): readonly string[] => {
  const names = new Set(released(reply).map(({ name }) => name));
  return [...reply.resources]
    .filter(([, { resource }]) => resource.kind === 'Machine' && !names.has(resource.metadata?.name ?? ''))
    .map(([key]) => key);
};
export const groupOf = (reply: ReplyData): Group => Group.parse(reply.context['slipway.dev/group']);
export const released = (reply: ReplyData): Group['releases'] =>
  Group.safeParse(reply.context['slipway.dev/group']).data?.releases ?? [];
export const condition = (reply: ReplyData, type: string) => reply.conditions.find((one) => one.type === type);

/** Machines as the pool creates them, observed ready. */
export async function made(pool: KubeObject, ready = true): Promise<readonly KubeObject[]> {
  return composed(await replyOf(run, request({ pool }))).map((machine) =>
    withStatus(machine, { ...conditions(ready), nodeRef: { name: machine.metadata?.name ?? '' } }),
  );
}

/** Creation times of the machines of `grown`: slot 0 first, then one each minute. */
export const NOON = '2026-01-01T12:00:00Z';

export function after(seconds: number, from = NOON): string {
  return new Date(Date.parse(from) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Ready machines with a creation time, as a pool of that size creates them. */
export async function grown(replicas: number): Promise<readonly KubeObject[]> {
  const machines = await made(aNodePool({ spec: { replicas } }));
  return machines.map((machine, index) => marked(machine, { creationTimestamp: after(index * 60) }));
}

export function marked(
  machine: KubeObject,
  metadata: {
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  },
): KubeObject {
  return { ...machine, metadata: { ...machine.metadata, ...metadata } };
}

/** The machines with some of them changed, by index. */
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

/** The cloud reports another id, or none. */
export const lost =
  (since = NOON) =>
  (machine: KubeObject): KubeObject =>
    withStatus(machine, conditions(false, [bad('MachineLost', since)]));

/** Its Node is not ready. */
export const notReady =
  (since: string) =>
  (machine: KubeObject): KubeObject =>
    withStatus(machine, conditions(false, [bad('NodeNotHealthy', since)]));

/** Somebody deleted its Node, which was ready: the Machine keeps what the Node said last. */
export const nodeGone =
  (since: string) =>
  (machine: KubeObject): KubeObject =>
    withStatus(machine, {
      ...conditions(false, [bad('NodeGone', since)]),
      nodeConditions: [{ type: 'Ready', status: 'True', lastTransitionTime: NOON }],
    });

/** It was created and never became a Node. */
export const starting = (machine: KubeObject): KubeObject => {
  const { nodeRef: _node, ...status } = machine.status ?? {};
  return { ...machine, status: { ...status, ...conditions(false) } };
};

export const numbers = (reply: ReplyData): string => slots(reply).join('').replaceAll('slot-', '');
export const remediating = (reply: ReplyData) => condition(reply, 'Remediating');
export const HOUR = 3600;

/** The reply for a pool of these machines that many seconds after noon, in one call. */
export async function lookOnce(
  machines: readonly KubeObject[],
  seconds: number,
  health: JsonObject = {},
  spec: JsonObject = {},
  status: JsonObject = {},
): Promise<ReplyData> {
  const pool = aNodePool({ spec: { replicas: machines.length, health, ...spec }, status });
  return replyOf(run, request({ pool, machines }), after(seconds));
}

/** The same once its status has the machines to give up, because only then are they deleted. */
export async function look(...given: Parameters<typeof lookOnce>): Promise<ReplyData> {
  const [machines, seconds, health, spec, status = {}] = given;
  const { pendingRemediations = status['pendingRemediations'] } = (await lookOnce(...given)).status;
  return lookOnce(machines, seconds, health, spec, {
    ...status,
    ...(pendingRemediations === undefined ? {} : { pendingRemediations }),
  });
}

/** The machine has an update request in this phase. */
export const ordered =
  (phase: string) =>
  (machine: KubeObject): KubeObject => ({
    ...machine,
    spec: { ...machine.spec, update: { id: 'target-1' } },
    status: { ...machine.status, update: { id: 'target-1', phase } },
  });
