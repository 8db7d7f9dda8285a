/** The kinds of Slipway as the cluster knows them: names, columns and schemas, from which xrds/ is generated. */
import type { Definition, PrinterColumn } from '../schema/definition.ts';
import { validationsIn } from '../schema/rules.ts';
import { ClusterFactsSpec } from './cluster-facts.ts';
import { ClusterSpec, ClusterStatus } from './cluster.ts';
import { HostClaimSpec, HostClaimStatus, HostSpec, HostStatus } from './host.ts';
import { MachineSpec, MachineStatus } from './machine.ts';
import { NodePool, NodePoolSpec, NodePoolStatus } from './node-pool.ts';
import {
  NodeClusterProviderConfigSpec,
  NodeProviderConfigSpec,
  NodeProviderConfigStatus,
  ProviderConfigUsageFields,
} from './node-provider-config.ts';
import { WorkloadNodeSpec, WorkloadNodeStatus } from './workload-node.ts';

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
      { name: 'Version', type: 'string', jsonPath: '.spec.version', description: 'Desired Kubernetes version' },
      condition('Infrastructure', 'InfrastructureReady', 'Whether machines can be created'),
      condition('Initialized', 'ControlPlaneInitialized', 'Whether the first control-plane machine became a node'),
      {
        name: 'CP-Desired',
        type: 'integer',
        jsonPath: '.spec.controlPlane.replicas',
        description: 'Desired control-plane machines',
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
        description: 'Control-plane machines that match the claim',
      },
      {
        name: 'Endpoint',
        type: 'string',
        jsonPath: '.status.controlPlaneEndpoint.host',
        description: 'Endpoint of the Kubernetes API',
        priority: 10,
      },
    ],
  },
  {
    group: 'slipway.dev',
    kind: 'NodePool',
    plural: 'nodepools',
    shortNames: ['np'],
    description: 'A group of identical machines in one cluster.',
    spec: NodePoolSpec,
    rules: validationsIn(NodePool),
    status: NodePoolStatus,
    columns: [
      {
        name: 'Cluster',
        type: 'string',
        jsonPath: '.spec.clusterRef.name',
        description: 'Cluster of the pool',
      },
      { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'Desired machines' },
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
        description: 'Ready machines that are not being deleted',
      },
      {
        name: 'Up-to-date',
        type: 'integer',
        jsonPath: '.status.upToDateReplicas',
        description: 'Machines that match the pool',
      },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Phase of the pool' },
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
        description: 'Cluster of the machine',
      },
      { name: 'Node', type: 'string', jsonPath: '.status.nodeRef.name', description: 'Node it became' },
      {
        name: 'Failure-Domain',
        type: 'string',
        jsonPath: '.spec.failureDomain',
        description: 'Failure domain of the machine',
      },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Phase of the machine' },
      { name: 'Version', type: 'string', jsonPath: '.spec.version', description: 'Desired Kubernetes version' },
      {
        name: 'ProviderID',
        type: 'string',
        jsonPath: '.status.providerID',
        description: 'Provider id of the machine',
        priority: 10,
      },
    ],
  },
];

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age' };
/** Not managed: `kubectl get managed` lists resources, and configurations are none. */
const CONFIGURATION = ['provider', 'providerconfig'] as const;
const CONFIG_COLUMNS: readonly PrinterColumn[] = [
  AGE,
  {
    name: 'Secret-Name',
    type: 'string',
    jsonPath: '.spec.credentials.secretRef.name',
    description: 'Secret with the kubeconfig',
    priority: 1,
  },
];

/** Kinds that provider-node serves. */
export const NODE_KINDS: readonly Definition[] = [
  {
    group: 'node.slipway.dev',
    kind: 'WorkloadNode',
    plural: 'workloadnodes',
    shortNames: ['wn'],
    description: 'One Node of a workload cluster: its labels and taints, health, drain and in-place updates.',
    spec: WorkloadNodeSpec,
    status: WorkloadNodeStatus,
    columns: [
      condition('Synced', 'Synced', 'Whether the Node matches its spec'),
      condition('Ready', 'Ready', 'Whether the Node was found and is ready'),
      {
        name: 'External-Name',
        type: 'string',
        jsonPath: '.metadata.annotations.crossplane\\.io/external-name',
        description: 'Node it found',
      },
      {
        name: 'Kubelet',
        type: 'string',
        jsonPath: '.status.nodeInfo.kubeletVersion',
        description: 'Version of the kubelet',
      },
      AGE,
    ],
  },
  {
    group: 'node.slipway.dev',
    kind: 'ProviderConfig',
    plural: 'providerconfigs',
    shortNames: [],
    categories: CONFIGURATION,
    description:
      'How provider-node reaches one workload cluster. Its deletion says that the whole cluster is deleted: nodes are then released without a drain.',
    spec: NodeProviderConfigSpec,
    status: NodeProviderConfigStatus,
    columns: CONFIG_COLUMNS,
  },
  {
    group: 'node.slipway.dev',
    kind: 'ClusterProviderConfig',
    plural: 'clusterproviderconfigs',
    shortNames: [],
    scope: 'Cluster',
    categories: CONFIGURATION,
    description:
      'The same for objects in every namespace. Its deletion says that the whole cluster is deleted: nodes are then released without a drain.',
    spec: NodeClusterProviderConfigSpec,
    status: NodeProviderConfigStatus,
    columns: CONFIG_COLUMNS,
  },
  {
    group: 'node.slipway.dev',
    kind: 'ProviderConfigUsage',
    plural: 'providerconfigusages',
    shortNames: [],
    categories: CONFIGURATION,
    description: 'Says that an object uses a ProviderConfig or a ClusterProviderConfig. Written by provider-node.',
    fields: ProviderConfigUsageFields,
    columns: [
      AGE,
      { name: 'Config-Name', type: 'string', jsonPath: '.providerConfigRef.name', description: 'Configuration in use' },
      { name: 'Resource-Kind', type: 'string', jsonPath: '.resourceRef.kind', description: 'Kind of the user' },
      { name: 'Resource-Name', type: 'string', jsonPath: '.resourceRef.name', description: 'Name of the user' },
    ],
  },
  {
    group: 'node.slipway.dev',
    kind: 'ClusterFacts',
    plural: 'clusterfacts',
    shortNames: [],
    categories: [],
    description:
      'What a Cluster tells its pools, machines and add-ons: the spec that was accepted last, its infrastructure and how far it is. Composed by the Cluster; only Crossplane may write it.',
    spec: ClusterFactsSpec,
    columns: [
      {
        name: 'Version',
        type: 'string',
        jsonPath: '.spec.controlPlane.version',
        description: 'Oldest version among control-plane nodes',
      },
      AGE,
    ],
  },
  {
    group: 'node.slipway.dev',
    kind: 'Host',
    plural: 'hosts',
    shortNames: [],
    categories: [],
    description:
      'A host that somebody else provides for machines of clusters. Its owner writes it; Slipway never changes or deletes it, and reports in its status which HostClaim has it.',
    spec: HostSpec,
    status: HostStatus,
    columns: [
      { name: 'Size', type: 'string', jsonPath: '.spec.size', description: 'Size of the host' },
      { name: 'Failure-Domain', type: 'string', jsonPath: '.spec.failureDomain', description: 'Its failure domain' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Whether it is free' },
      { name: 'Claim', type: 'string', jsonPath: '.status.claim', description: 'HostClaim that has or had it' },
      AGE,
    ],
  },
  {
    group: 'node.slipway.dev',
    kind: 'HostClaim',
    plural: 'hostclaims',
    shortNames: [],
    description:
      'The host of one Machine: what it has to be like, and, once there is one, which Host it is. Composed by a Machine. The owner of hosts starts that Host with the first-boot data.',
    spec: HostClaimSpec,
    status: HostClaimStatus,
    columns: [
      condition('Synced', 'Synced', 'Whether a Host was found'),
      condition('Ready', 'Ready', 'Whether it has a Host'),
      {
        name: 'External-Name',
        type: 'string',
        jsonPath: '.metadata.annotations.crossplane\\.io/external-name',
        description: 'Host that it got',
      },
      {
        name: 'First-Boot-Data',
        type: 'string',
        jsonPath: '.spec.forProvider.userDataSecretRef.name',
        description: 'Secret with first-boot data',
      },
      AGE,
    ],
  },
];
