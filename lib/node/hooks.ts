/**
 * Who else stops the deletion of a Node: annotations of the WorkloadNode, as hooks of Cluster API, and finalizers of
 * other controllers. It goes on when they are removed, and not before.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { FINALIZER } from './leaving.ts';

/** `pre-drain`: before any pod is evicted. `pre-terminate`: when the Node is empty, before it is deleted. */
export type HookPoint = 'pre-drain' | 'pre-terminate';

/** The first one, in words; undefined: there is none. */
export function hookOf({ metadata }: KubeObject, point: HookPoint): string | undefined {
  const prefix = `${point}.hooks.slipway.dev/`;
  const [annotation] = Object.keys(metadata?.annotations ?? {})
    .filter((key) => key.startsWith(prefix))
    .toSorted();
  return annotation === undefined ? undefined : `waits until the annotation ${annotation} is removed`;
}

/** As with every provider: who else keeps the object may need its Node. The API server itself does not. */
export function holderOf({ metadata }: KubeObject): string | undefined {
  const [finalizer] = (metadata?.finalizers ?? [])
    .filter((one) => one !== FINALIZER && one !== 'foregroundDeletion' && one !== 'orphan')
    .toSorted();
  return finalizer === undefined ? undefined : `waits until its controller removes the finalizer ${finalizer}`;
}
