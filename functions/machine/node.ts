/** The node in the workload cluster, and the Usage that keeps the machine alive until the node is drained and gone. */
import { runsEtcd } from '#lib/api/etcd.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { WorkloadNodeSpec } from '#lib/api/kinds/workload-node.ts';
import { labelsOf } from './labels.ts';

export const NODE = 'node';
export const DRAIN = 'drain';

/** What the Machine does not say: how it is while it is updated in place, and what it is started by. */
export interface Meanwhile {
  /** Those the Node keeps until it is drained. */
  readonly taints: Machine['spec']['taints'];
  readonly update: WorkloadNodeSpec['update'];
  readonly start: WorkloadNodeSpec['start'];
}

export function workloadNodeOf(machine: Machine, providerID: string | undefined, meanwhile: Meanwhile): KubeObject {
  const { name, namespace } = machine.metadata;
  const { clusterRef, labels, annotations, drain, role, bootstrap } = machine.spec;
  const { taints, update, start } = meanwhile;
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'WorkloadNode',
    metadata: { name, namespace, labels: labelsOf(machine) },
    spec: {
      providerConfigRef: { kind: 'ProviderConfig', name: clusterRef.name },
      node: { name, ...(providerID === undefined ? {} : { providerID }) },
      labels,
      annotations,
      taints: taints.map(({ key, value, effect }) => ({ key, ...(value === undefined ? {} : { value }), effect })),
      drain,
      // Where kubeadm runs etcd on the control plane's machines, a member must leave it before its machine goes.
      etcdMember: role === 'control-plane' && bootstrap.provider === 'kubeadm' && runsEtcd(bootstrap),
      ...(update === undefined ? {} : { update }),
      ...(start === undefined ? {} : { start }),
    },
  };
}

/** Deletion of the virtual machine is refused while the node exists, and replayed once it is gone. */
export function drainOf(machine: Machine, virtualMachine: KubeObject): KubeObject {
  const { name, namespace } = machine.metadata;
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'Usage',
    metadata: { name: `${name}-${DRAIN}`, namespace, labels: labelsOf(machine) },
    spec: {
      of: {
        apiVersion: virtualMachine.apiVersion,
        kind: virtualMachine.kind,
        resourceRef: { name: virtualMachine.metadata?.name ?? name },
      },
      by: { apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', resourceRef: { name } },
      reason: 'the node is drained before its machine goes',
      replayDeletion: true,
    },
  };
}
