/** The kinds of Slipway as the cluster knows them: names, columns and schemas, from which xrds/ is generated. */
import type { Definition, PrinterColumn } from '../schema/definition.ts';
import { validationsIn } from '../schema/rules.ts';
import { ClusterSpec, ClusterStatus } from './cluster.ts';
import { MachineSpec, MachineStatus } from './machine.ts';
import { NodePool, NodePoolSpec, NodePoolStatus } from './node-pool.ts';
import { NodeProviderConfigSpec, WorkloadNodeSpec, WorkloadNodeStatus } from './workload-node.ts';

/** A column of a condition's status. */
const condition = (name: string, type: string, description: string, priority = 0): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=='${type}')].status`,
  description,
  ...(priority === 0 ? {} : { priority }),
});

/** The composite kinds; Crossplane adds SYNCED, READY, COMPOSITION and AGE to their columns. */
export const COMPOSITES: readonly Definition[] = [
  {
    group: 'slipway.dev',
    kind: 'Cluster',
    plural: 'clusters',
    shortNames: ['cl'],
    description: 'A Kubernetes cluster: its network, its control plane and what its node pools need.',
    spec: ClusterSpec,
    status: ClusterStatus,
    columns: [
      { name: 'Version', type: 'string', jsonPath: '.spec.version', description: 'Kubernetes version asked for' },
      condition('Infrastructure', 'InfrastructureReady', 'Whether machines can be made'),
      condition('Initialized', 'ControlPlaneInitialized', 'Whether the first control-plane machine became a node'),
      {
        name: 'CP-Desired',
        type: 'integer',
        jsonPath: '.spec.controlPlane.replicas',
        description: 'Control-plane machines asked for',
      },
      {
        name: 'CP-Ready',
        type: 'integer',
        jsonPath: '.status.controlPlane.readyReplicas',
        description: 'Control-plane machines that are ready',
      },
      {
        name: 'CP-Up-to-date',
        type: 'integer',
        jsonPath: '.status.controlPlane.upToDateReplicas',
        description: 'Control-plane machines that are what the claim asks for',
      },
      {
        name: 'Endpoint',
        type: 'string',
        jsonPath: '.status.controlPlaneEndpoint.host',
        description: 'Where the Kubernetes API answers',
        priority: 10,
      },
    ],
  },
  {
    group: 'slipway.dev',
    kind: 'NodePool',
    plural: 'nodepools',
    shortNames: ['np'],
    description: 'A pool of machines of one shape in one cluster.',
    spec: NodePoolSpec,
    rules: validationsIn(NodePool),
    status: NodePoolStatus,
    columns: [
      {
        name: 'Cluster',
        type: 'string',
        jsonPath: '.spec.clusterRef.name',
        description: 'Cluster the pool belongs to',
      },
      { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'Machines asked for' },
      { name: 'Current', type: 'integer', jsonPath: '.status.replicas', description: 'Machines that exist' },
      {
        name: 'Ready-Replicas',
        type: 'integer',
        jsonPath: '.status.readyReplicas',
        description: 'Machines that are ready',
      },
      {
        name: 'Available',
        type: 'integer',
        jsonPath: '.status.availableReplicas',
        description: 'Machines that are ready and stay',
      },
      {
        name: 'Up-to-date',
        type: 'integer',
        jsonPath: '.status.upToDateReplicas',
        description: 'Machines that are what the pool asks for',
      },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'What is going on' },
      {
        name: 'Version',
        type: 'string',
        jsonPath: '.status.version',
        description: 'Oldest Kubernetes version among the nodes',
        priority: 10,
      },
    ],
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  {
    group: 'slipway.dev',
    kind: 'Machine',
    plural: 'machines',
    shortNames: ['ma'],
    description: 'One machine that is, or becomes, one node.',
    spec: MachineSpec,
    status: MachineStatus,
    columns: [
      {
        name: 'Cluster',
        type: 'string',
        jsonPath: '.spec.clusterRef.name',
        description: 'Cluster the machine belongs to',
      },
      { name: 'Node', type: 'string', jsonPath: '.status.nodeRef.name', description: 'Node it became' },
      { name: 'Failure-Domain', type: 'string', jsonPath: '.spec.failureDomain', description: 'Where it is placed' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'How far it is' },
      { name: 'Version', type: 'string', jsonPath: '.spec.version', description: 'Kubernetes version asked for' },
      {
        name: 'ProviderID',
        type: 'string',
        jsonPath: '.status.providerID',
        description: 'Id the cloud gave it',
        priority: 10,
      },
    ],
  },
];

/** Kinds that provider-node serves. */
export const NODE_KINDS: readonly Definition[] = [
  {
    group: 'node.slipway.dev',
    kind: 'WorkloadNode',
    plural: 'workloadnodes',
    shortNames: ['wn'],
    description: 'One Node of a workload cluster: its marks, its health, its drain and its updates in place.',
    spec: WorkloadNodeSpec,
    status: WorkloadNodeStatus,
    columns: [
      { name: 'Node', type: 'string', jsonPath: '.status.nodeRef.name', description: 'Node it found' },
      condition('Synced', 'Synced', 'Whether the Node is as it should be'),
      condition('Ready', 'Ready', 'Whether the Node was found and is ready'),
      {
        name: 'Kubelet',
        type: 'string',
        jsonPath: '.status.nodeInfo.kubeletVersion',
        description: 'Version of the kubelet',
      },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age' },
    ],
  },
  {
    group: 'node.slipway.dev',
    kind: 'ProviderConfig',
    plural: 'providerconfigs',
    shortNames: [],
    description: 'How provider-node reaches one workload cluster.',
    spec: NodeProviderConfigSpec,
    columns: [
      {
        name: 'Secret',
        type: 'string',
        jsonPath: '.spec.credentials.secretRef.name',
        description: 'Secret with the kubeconfig',
      },
    ],
  },
];
