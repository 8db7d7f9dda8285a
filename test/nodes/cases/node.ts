/** Each Node matches its Machine: version, id, labels, taints, and settings of its kubelet. */
import { isDeepStrictEqual } from 'node:util';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';

/** The taint of kubeadm for a control plane whose claim sets none. */
const CONTROL_PLANE_TAINTS = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
const CONTROL_PLANE_LABEL = 'node-role.kubernetes.io/control-plane';

export const nodeCase: Case = {
  name: 'node',
  async run({ arrivals, node }) {
    for (const { machine } of arrivals) check(machine, await node(machine.name));
    return 'version, provider id, labels, taints and kubelet configuration as the Machines say';
  },
};

function check({ name, part, spec, providerID, address }: Machine, node: KubeObject): void {
  const same = (what: string, wanted: unknown, seen: unknown): void =>
    hold(`${name}: ${what} is ${JSON.stringify(wanted)}`, isDeepStrictEqual(seen, wanted), JSON.stringify(seen));
  same('kubelet version', stringAt(spec, 'version'), stringAt(node, 'status', 'nodeInfo', 'kubeletVersion'));
  same('providerID', providerID, stringAt(node, 'spec', 'providerID'));
  same('address', address, internalAddress(node));
  for (const [label, value] of Object.entries((at(spec, 'labels') ?? {}) as object))
    same(`label ${label}`, value, node.metadata?.labels?.[label]);
  same('being a control plane', part !== 'worker', node.metadata?.labels?.[CONTROL_PLANE_LABEL] !== undefined);
  const claimed = (at(spec, 'taints') ?? []) as readonly unknown[];
  const wanted = part === 'worker' || claimed.length > 0 ? claimed : CONTROL_PLANE_TAINTS;
  same('spec.taints', wanted, at(node, 'spec', 'taints') ?? []);
  const maxPods = at(spec, 'bootstrap', 'config', 'kubeletConfiguration', 'maxPods');
  if (typeof maxPods === 'number') same('room for pods', `${maxPods}`, stringAt(node, 'status', 'capacity', 'pods'));
}

function internalAddress(node: KubeObject): string | undefined {
  const addresses = at(node, 'status', 'addresses');
  const own = Array.isArray(addresses) ? addresses.find((one) => stringAt(one, 'type') === 'InternalIP') : undefined;
  return stringAt(own, 'address');
}
