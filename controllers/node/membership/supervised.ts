/** etcd of k3s and RKE2: their supervisor takes a Node out of it that has an annotation, and says so in another one. */
import type { KubeClient } from '#lib/kube/client.ts';
import { LEAVE_ANNOTATIONS, supervisedMembers } from '#lib/node/members.ts';
import { MANAGER, NODES } from '../kinds.ts';
import { slimNode } from '../slim.ts';
import type { Store } from './store.ts';

const LABEL = 'node-role.kubernetes.io/etcd';

export function supervised(client: KubeClient, kind: 'K3s' | 'RKE2'): Store {
  const annotations = LEAVE_ANNOTATIONS[kind];
  return {
    async members() {
      const { items } = await client.list(NODES, { labels: LABEL }, (node) =>
        slimNode(node, { annotations: Object.values(annotations) }),
      );
      return supervisedMembers(items, annotations);
    },
    async leave({ member }) {
      const patch = { metadata: { annotations: { [annotations.remove]: 'true' } } };
      await client.patch(NODES, { name: member.name }, patch, { manager: MANAGER });
      return 'Asked';
    },
  };
}
