/** The pipeline of the pool, with its first step of this release, or of a made-up one before or after it. */
import { Group } from '#lib/api/contracts/group.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Condition } from '#lib/api/conditions.ts';
import type { Event, ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { World } from '#lib/fn/world.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';

export type Release = 'previous' | 'current' | 'next';

/**
 * The response of a pipeline: the reply of its last step, with the conditions and events of all, and the shortest time
 * to live.
 */
export interface Answer extends Pick<ReplyData, 'resources' | 'status' | 'compositeReady' | 'ttl'> {
  readonly conditions: readonly Condition[];
  readonly events: readonly Event[];
}

export async function answer(request: Request, input: JsonObject, release: Release, world: World): Promise<Answer> {
  const first = RELEASES[release]((await nodepool(request, world)).build());
  const last = (await inPlaceUpdate(afterFirst(request, first, input), world)).build();
  return {
    // The Usages that protect the Cluster are not machines.
    resources: new Map([...last.resources].filter(([, { resource }]) => resource.kind === 'Machine')),
    status: last.status,
    compositeReady: last.compositeReady,
    ttl: Math.min(first.ttl, last.ttl),
    conditions: [...first.conditions, ...last.conditions],
    events: [...first.events, ...last.events],
  };
}

/** The request of the second step of the pipeline. */
export function afterFirst(request: Request, first: ReplyData, input: JsonObject): Request {
  return {
    ...request,
    input,
    desired: {
      composite: { apiVersion: 'slipway.dev/v1alpha1', kind: 'NodePool', status: first.status },
      compositeReady: first.compositeReady,
      resources: first.resources,
    },
    context: first.context,
  };
}

const RELEASES: Readonly<Record<Release, (reply: ReplyData) => ReplyData>> = {
  current: (reply) => reply,
  previous: withoutContract,
  next: withNewField,
};

/** The release before does not have the contract: it desires the machines it wants, and not those it releases. */
function withoutContract(reply: ReplyData): ReplyData {
  const { [CONTEXT.group]: group, ...context } = reply.context;
  const { releases = [], leaving = 0 } = Group.safeParse(group).data ?? {};
  const names = new Set(releases.map(({ name }) => name));
  const lost = releases.filter(({ why }) => why === 'Lost').map(({ name }) => name);
  const before = { [CONTEXT.leaving]: leaving, [CONTEXT.lost]: lost };
  const resources = [...reply.resources].filter(([, { resource }]) => !names.has(resource.metadata?.name ?? ''));
  return { ...reply, context: { ...context, ...before }, resources: new Map(resources) };
}

/** The release after writes a field of Machines that this one does not have, with its default. */
function withNewField(reply: ReplyData): ReplyData {
  const resources = [...reply.resources].map(([key, desired]) => {
    const { resource } = desired;
    return [key, resource.kind === 'Machine' ? { ...desired, resource: extended(resource) } : desired] as const;
  });
  return { ...reply, resources: new Map(resources) };
}

function extended(machine: KubeObject): KubeObject {
  return { ...machine, spec: { ...machine.spec, shutdown: { gracePeriod: '30s' } } };
}
