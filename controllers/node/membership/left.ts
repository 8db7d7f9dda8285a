/** Marks a Node that has left a store which lists its members nowhere, so that the others do not count it any more. */
import type { KubeClient } from '#lib/kube/client.ts';
import { KubeRefusal, Unreachable } from '#lib/kube/refusal.ts';
import { LEFT_STORE } from '#lib/node/members.ts';
import { MANAGER, NODES } from '../kinds.ts';

/**
 * A Node that is gone is fine, and so is an API that has just lost a member: that the Node has left must not be forgotten
 * for it, and its WorkloadNode notes it too.
 */
export async function markLeft(client: KubeClient, name: string): Promise<void> {
  try {
    await client.patch(NODES, { name }, { metadata: { annotations: { [LEFT_STORE]: 'true' } } }, { manager: MANAGER });
  } catch (thrown) {
    if (!(thrown instanceof KubeRefusal || thrown instanceof Unreachable)) throw thrown;
  }
}
