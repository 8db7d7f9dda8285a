/** The node in the workload cluster, and the Usage that keeps the machine alive until the node is drained and gone. */
import { minor } from 'semver';
import { runsEtcd } from '#lib/api/etcd.ts';
import { LABEL, NODE_API_VERSION } from '#lib/api/words.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { WorkloadNodeSpec } from '#lib/api/kinds/workload-node.ts';
import { usageByNode } from '#lib/cloud/drain.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { bootstrapperTraits } from '../bootstrap/traits.ts';

export const NODE = 'node';
export const DRAIN = 'drain';

/** State that is not in the Machine: during an in-place update, and for the start or the joining of a cluster. */
export interface NodeState {
  /** Taints that the Node keeps until it is drained. */
  readonly taints: Machine['spec']['taints'];
  readonly update: WorkloadNodeSpec['update'];
  readonly start: WorkloadNodeSpec['start'];
  readonly join: WorkloadNodeSpec['join'];
  readonly servingCertificates: WorkloadNodeSpec['servingCertificates'];
  /** Uid of the current Cluster. */
  readonly clusterUid: string | undefined;
}

export function workloadNodeOf(machine: Machine, providerID: string | undefined, state: NodeState): KubeObject {
  const { name, namespace } = machine.metadata;
  const { clusterRef, labels, annotations, drain } = machine.spec;
  const { capacityType } = machine.spec.machine;
  const { taints, update, start, join, servingCertificates, clusterUid } = state;
  const membership = membershipOf(machine);
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'WorkloadNode',
    metadata: { name, namespace, labels: labelsOf(machine) },
    spec: {
      providerConfigRef: { kind: 'ProviderConfig', name: clusterRef.name },
      clusterRef: { name: clusterRef.name, ...(clusterUid === undefined ? {} : { uid: clusterUid }) },
      node: { name, ...(providerID === undefined ? {} : { providerID }) },
      labels: capacityType === undefined ? labels : { ...labels, [LABEL.capacityType]: capacityType },
      annotations,
      taints: taints.map(({ key, value, effect }) => ({ key, ...(value === undefined ? {} : { value }), effect })),
      drain,
      ...(membership === undefined ? {} : { membership }),
      servingCertificates,
      ...(update === undefined ? {} : { update }),
      ...(start === undefined ? {} : { start }),
      ...(join === undefined ? {} : { join }),
    },
  };
}

/** A member must leave the store of its cluster before its machine is deleted; undefined: it is none. */
function membershipOf({ spec }: Machine): WorkloadNodeSpec['membership'] {
  const { membership, externalEtcd } = bootstrapperTraits(spec.bootstrap.provider);
  if (membership === undefined || spec.role !== 'control-plane') return undefined;
  if (!runsEtcd(spec.bootstrap.config, externalEtcd)) return undefined;
  const { kind, secretSuffix, since = 0 } = membership;
  if (minor(spec.version) < since) return undefined;
  const name = `${spec.clusterRef.name}-${secretSuffix}`;
  return { kind, ...(secretSuffix === undefined ? {} : { secretRef: { name } }) };
}

export function drainOf(machine: Machine, virtualMachine: KubeObject): KubeObject {
  return usageByNode(machine, DRAIN, virtualMachine, 'the node is drained before its machine is deleted');
}
