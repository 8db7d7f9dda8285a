/** Whether a response keeps the law, judged only by its request. */
import { isCompositeReady } from '#lib/api/conditions.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { budgetOf, termsOf } from '../../functions/in-place-update/budget.ts';
import { isDisrupted } from '../sim/shown.ts';

export interface Removal {
  readonly gone: readonly string[];
  /** The violation; undefined: none. */
  readonly violation: string | undefined;
}

/** @param request of the last step */
export function removalOf(request: Request, reply: ReplyData): Removal {
  const { composite, resources } = request.observed;
  const machines = [...resources].filter(([, { resource }]) => isMachine(resource) && !isGoing(resource));
  const isGone = ([key, { resource }]: (typeof machines)[number]): boolean => {
    const desired = reply.resources.get(key)?.resource;
    return desired?.kind !== resource.kind || desired.metadata?.name !== resource.metadata?.name;
  };
  const gone = machines.filter(isGone);
  const names = gone.map(([key]) => key);
  if (gone.length === 0) return { gone: names, violation: undefined };
  const ready = machines.filter(([, { resource }]) => isReady(resource));
  const left = ready.filter((one) => !gone.includes(one)).length;
  const { replicas, maxUnavailable } = budgetOf(termsOf(composite), 0, 0);
  if (left < ready.length && left < replicas - maxUnavailable)
    return {
      gone: names,
      violation: `${left} of ${ready.length} ready machines remain, required: ${replicas - maxUnavailable}`,
    };
  if (
    at(composite, 'spec', 'role') === 'control-plane' &&
    gone.length > 1 &&
    at(request.context, 'slipway.dev/group', 'quorum') !== false
  )
    return { gone: names, violation: 'more than one member of etcd would be removed' };
  // Scaling continues in a paused pool.
  if (at(composite, 'spec', 'paused') === true && machines.length - gone.length < replicas)
    return { gone: names, violation: 'the pool is paused' };
  return { gone: names, violation: undefined };
}

function isReady(machine: KubeObject): boolean {
  return isCompositeReady(machine) && !isDisrupted(machine);
}

function isMachine({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'Machine' && apiVersion.startsWith('slipway.dev/');
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
