/** Each Node matches its Machine: version, id, labels, taints, and settings of its kubelet. */
import { isDeepStrictEqual } from 'node:util';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';

const CONTROL_PLANE_LABEL = 'node-role.kubernetes.io/control-plane';

/** What differs between distributions. */
interface Own {
  /** Follows the version of the claim in that of the kubelet, such as +k3s1. */
  readonly release: string;
  /** Of a control plane whose claim sets none. */
  readonly controlPlaneTaints: readonly unknown[];
}

export const nodeCase = (own: Own): Case => ({
  name: 'node',
  async run({ arrivals, node }) {
    for (const { machine } of arrivals) check(machine, await node(machine.name), own);
    return 'version, provider id, labels, taints and kubelet configuration as the Machines say';
  },
});

function check({ name, part, spec, providerID, address }: Machine, node: KubeObject, own: Own): void {
  const same = (what: string, wanted: unknown, seen: unknown): void =>
    hold(`${name}: ${what} is ${JSON.stringify(wanted)}`, isDeepStrictEqual(seen, wanted), JSON.stringify(seen));
  same(
    'kubelet version',
    `${stringAt(spec, 'version')}${own.release}`,
    stringAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
  );
  same('providerID', providerID, stringAt(node, 'spec', 'providerID'));
  same('address', address, internalAddress(node));
  for (const [label, value] of Object.entries((at(spec, 'labels') ?? {}) as object))
    same(`label ${label}`, value, node.metadata?.labels?.[label]);
  same('being a control plane', part !== 'worker', node.metadata?.labels?.[CONTROL_PLANE_LABEL] !== undefined);
  const claimed = (at(spec, 'taints') ?? []) as readonly unknown[];
  const wanted = part === 'worker' || claimed.length > 0 ? claimed : own.controlPlaneTaints;
  same('spec.taints', wanted, at(node, 'spec', 'taints') ?? []);
  const maxPods = at(spec, 'bootstrap', 'config', 'kubeletConfiguration', 'maxPods');
  if (typeof maxPods === 'number') same('room for pods', `${maxPods}`, stringAt(node, 'status', 'capacity', 'pods'));
}

function internalAddress(node: KubeObject): string | undefined {
  const addresses = at(node, 'status', 'addresses');
  const own = Array.isArray(addresses) ? addresses.find((one) => stringAt(one, 'type') === 'InternalIP') : undefined;
  return stringAt(own, 'address');
}
