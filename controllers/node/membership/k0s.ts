/** etcd of k0s: an EtcdMember for each member, which leaves when its spec says so; then its ControlNode is deleted. */
import type { KubeObject } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import type { Resource } from '#lib/kube/resource.ts';
import { k0sMembers } from '#lib/node/members.ts';
import { MANAGER, NODES } from '../kinds.ts';
import type { Store } from './store.ts';

export const ETCD_MEMBERS: Resource = {
  apiVersion: 'etcd.k0sproject.io/v1beta1',
  kind: 'EtcdMember',
  plural: 'etcdmembers',
  namespaced: false,
};

export const CONTROL_NODES: Resource = {
  apiVersion: 'autopilot.k0sproject.io/v1beta2',
  kind: 'ControlNode',
  plural: 'controlnodes',
  namespaced: false,
};

export function k0sEtcd(client: KubeClient): Store {
  const membersNow = async () => {
    const { items } = await client.list(ETCD_MEMBERS);
    const controls = await client.list(CONTROL_NODES);
    const names = items.map(({ metadata }) => metadata?.name ?? '');
    const nodes = await Promise.all(names.map((name) => client.find(NODES, { name })));
    const found = nodes.filter((node): node is KubeObject => node !== undefined);
    return k0sMembers(items, new Set(controls.items.map(({ metadata }) => metadata?.name ?? '')), found);
  };
  return {
    members: membersNow,
    async leave({ member }) {
      const own = (await membersNow()).find(({ name }) => name === member.name);
      if (own?.leaving === 'Out') await client.delete(CONTROL_NODES, { name: member.name });
      else await client.patch(ETCD_MEMBERS, { name: member.name }, { spec: { leave: true } }, { manager: MANAGER });
      return 'Asked';
    },
  };
}
