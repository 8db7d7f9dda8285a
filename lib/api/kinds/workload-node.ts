/**
 * WorkloadNode: one Node of a workload cluster, as a managed resource. Composed by a Machine, served by provider-node.
 */
import { z } from 'zod';
import { NodeConditionType } from '../contracts/workload-node.ts';
import { conditions } from '../fields/conditions.ts';
import { nodeConditions } from '../fields/health.ts';
import { WorkloadNodeJoin } from '../fields/join.ts';
import { nodeMarks } from '../fields/node-marks.ts';
import { duration, objectName } from '../fields/text.ts';
import { Drain } from '../fields/drain.ts';
import { NODE_API_VERSION } from '../words.ts';

const NodeRef = z.strictObject({
  name: z.string().min(1).max(253).describe('Name of the Node.'),
  providerID: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('Provider id of the Node, once known; it takes precedence over the name.'),
});

export const WorkloadNodeUpdate = z.strictObject({
  id: z.string().min(1).max(63).describe('Hash of the target; an update is run once per id.'),
  disruptive: z
    .boolean()
    .default(false)
    .describe('Whether the Node is drained first, and stays cordoned until the end of the update.'),
  hold: z
    .boolean()
    .default(false)
    .describe(
      'True while another controller changes the machine: after the drain, the Node waits in phase Drained until this is false.',
    ),
  updaters: z
    .array(z.string().min(1).max(63))
    .max(64)
    .default([])
    .describe('Updaters to run on the Node, in order; each is the name of a script in the Secret.'),
  payloadSecretRef: z
    .strictObject({ name: z.string().min(1).max(253).describe('Name of the Secret.') })
    .optional()
    .describe('Secret with one key for each updater: a POSIX shell script that may be run again.'),
  version: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe('Version that the kubelet must report at the end. If not set, the Node only has to be ready again.'),
  timeout: duration().default('30m').describe('How long the whole update may take, including drain and waiting.'),
});

export const WorkloadNodeStart = z.strictObject({
  kind: z.enum(['Talos']).describe('Talos: the call Bootstrap of the Talos API.'),
  secretRef: z
    .strictObject({
      name: z.string().min(1).max(253).describe('Name of the Secret.'),
      key: z.string().min(1).max(253).describe('Key that holds a talosconfig.'),
    })
    .describe('Credentials of the caller.'),
  addresses: z
    .array(z.string().min(1).max(253))
    .max(16)
    .default([])
    .describe('Addresses of the machine; the first one that answers is called.'),
});

export const ManagementAction = z.enum(['*', 'Observe', 'Create', 'Update', 'Delete', 'LateInitialize']);

/** Stores of control planes, and how a Node leaves each of them. */
export const MEMBERSHIPS = ['KubeadmEtcd', 'K3s', 'RKE2', 'K0s', 'Talos', 'MicroK8s', 'CanonicalKubernetes'] as const;

export const WorkloadNodeMembership = z.strictObject({
  kind: z
    .enum(MEMBERSHIPS)
    .describe(
      'KubeadmEtcd: by the API of etcd. K3s, RKE2: by an annotation of the Node. K0s: by its EtcdMember. Talos: by the Talos API, port 50000. MicroK8s: by the cluster agent of another Node. CanonicalKubernetes: by k8sd of another Node.',
    ),
  secretRef: z
    .strictObject({
      name: z.string().min(1).max(253).describe('Name of the Secret, in the namespace of this object.'),
    })
    .optional()
    .describe(
      'What leaving takes. KubeadmEtcd: the authority of etcd, tls.crt and tls.key, default <cluster>-etcd. Talos: talosconfig. MicroK8s, CanonicalKubernetes: token, which the agent or k8sd accepts in the header capi-auth-token.',
    ),
});

export const WorkloadNodeSpec = z.strictObject({
  managementPolicies: z
    .array(ManagementAction)
    .max(6)
    .prefault(['*'])
    .meta({ 'x-kubernetes-list-type': 'set' })
    .describe(
      'What provider-node may do. Observe: read the Node. Create: make the call of start. Update: change the Node. Delete: drain and delete the Node with this object. LateInitialize: nothing. An empty list pauses everything. Crossplane supports 15 sets.',
    ),
  providerConfigRef: z
    .strictObject({
      kind: z
        .enum(['ProviderConfig', 'ClusterProviderConfig'])
        .default('ProviderConfig')
        .describe('Kind of the configuration.'),
      name: z.string().min(1).max(253).describe('Name of the configuration.'),
    })
    .describe('How to reach the workload cluster.'),
  clusterRef: z
    .strictObject({
      name: objectName().describe('Name of the Cluster, in the same namespace.'),
      uid: z.string().min(1).max(63).optional().describe('Uid of the Cluster.'),
    })
    .optional()
    .describe(
      'The Cluster of the Node, for people and their tools; it is not read. A Cluster that is deleted shows by its ProviderConfig, which is deleted with it.',
    ),
  node: NodeRef.describe('The Node that this object represents.'),
  ...nodeMarks,
  unschedulable: z.boolean().default(false).describe('Whether the Node is cordoned.'),
  drain: Drain.prefault({}).describe(
    'How the Node is drained when this object is deleted, or for a disruptive update.',
  ),
  update: WorkloadNodeUpdate.optional().describe('An in-place update of the Node.'),
  start: WorkloadNodeStart.optional().describe(
    'Set if the machine starts its cluster and waits for an API call to do so. The call is made once, before the Node is looked up.',
  ),
  join: WorkloadNodeJoin.optional().describe(
    'Set if the machine joins its cluster by a token of its own. A bootstrap token is written into the cluster until the Node is there; k8sd of Canonical Kubernetes is asked for one.',
  ),
  membership: WorkloadNodeMembership.optional().describe(
    'Set if the Node is a member of the store of its cluster. It leaves the store after its drain and before it is deleted, one Node at a time, only while the others keep a healthy majority, and never as the last one.',
  ),
  servingCertificates: z
    .strictObject({
      approve: z
        .boolean()
        .default(false)
        .describe(
          'Whether requests of the kubelet for a certificate to serve with are approved. Requests for anything else than these names and addresses stay pending.',
        ),
      names: z.array(z.string().min(1).max(253)).max(16).default([]).describe('Names of the machine, from the cloud.'),
      addresses: z
        .array(z.string().min(1).max(253))
        .max(16)
        .default([])
        .describe('IP addresses of the machine, from the cloud.'),
    })
    .optional()
    .describe('Certificates with which the kubelet serves: signer kubernetes.io/kubelet-serving.'),
  etcdMember: z
    .boolean()
    .default(false)
    .describe('Replaced by membership; true is still read as membership of kind KubeadmEtcd.'),
});

export const WorkloadNodeStatus = z.looseObject({
  nodeRef: z
    .looseObject({
      name: z.string().describe('Name of the Node.'),
      uid: z.string().optional().describe('Uid of the Node; a Node with another uid is a different one.'),
    })
    .optional()
    .describe('The Node, once found.'),
  started: z
    .boolean()
    .optional()
    .describe('Whether the machine accepted the call of spec.start; it is then not called again.'),
  join: z
    .looseObject({
      tokenSecret: z.string().optional().describe('Secret of the token in kube-system of the workload cluster.'),
      secretRef: z
        .looseObject({ name: z.string().describe('Name of the Secret, in the namespace of this object.') })
        .optional()
        .describe('The Secret with the token that the cluster made.'),
      expiresAt: z.string().optional().describe('When the token expires unless it is extended.'),
      joined: z
        .boolean()
        .optional()
        .describe('Whether the Node is there and the token is withdrawn, once and for all.'),
    })
    .optional()
    .describe('The token of spec.join.'),
  nodeInfo: z
    .looseObject({
      kubeletVersion: z.string().optional().describe('Version of the kubelet.'),
      osImage: z.string().optional().describe('Operating system.'),
      containerRuntimeVersion: z.string().optional().describe('Container runtime.'),
    })
    .optional()
    .describe('What the Node reports about itself.'),
  nodeConditions,
  addresses: z
    .array(
      z.looseObject({ type: z.string().describe('Kind of address.'), address: z.string().describe('The address.') }),
    )
    .max(16)
    .optional()
    .describe('Addresses of the Node.'),
  update: z
    .looseObject({
      id: z.string().describe('The update this is about.'),
      phase: z.string().describe('Draining, Drained, Running, Verifying, Succeeded or Failed.'),
      message: z.string().optional().describe('What happened.'),
      startedAt: z.string().optional().describe('When it began; its timeout counts from then.'),
      pod: z
        .string()
        .optional()
        .describe('The pod in namespace slipway-system of the workload cluster that runs updaters, while it exists.'),
    })
    .optional()
    .describe('The current or last update.'),
  drain: z
    .looseObject({
      startedAt: z.string().optional().describe('When it began; its timeout counts from then.'),
      podsGoneAt: z
        .string()
        .optional()
        .describe('When the last pod had left; the timeout of volumes counts from then.'),
      unreachableSince: z.string().optional().describe('Since when the workload cluster could not be reached.'),
      unidentifiedSince: z
        .string()
        .optional()
        .describe('Since when a Node is waited for of which it is not certain whether it is the one.'),
      evicted: z.int().optional().describe('How many evictions were accepted.'),
      waiting: z
        .array(
          z.looseObject({
            pod: z.string().describe('Namespace and name of the pod.'),
            why: z.string().describe('Why it is still there.'),
            since: z.string().optional().describe('Since when it is waited for.'),
          }),
        )
        .max(10)
        .optional()
        .describe('Pods that the drain waits for; the first ten.'),
      moreWaiting: z.int().optional().describe('How many more there are.'),
    })
    .optional()
    .describe('The drain before this object is deleted, or for an update, until the Node is empty.'),
  marks: z
    .looseObject({
      labels: z.array(z.string()).optional().describe('Keys of labels.'),
      annotations: z.array(z.string()).optional().describe('Keys of annotations.'),
      taints: z.array(z.string()).optional().describe('Taints, each as key:effect.'),
      cordoned: z.boolean().optional().describe('Whether the Node was cordoned by this object.'),
    })
    .optional()
    .describe('What this object has set on the Node of nodeRef, and removes when it leaves the spec.'),
  member: z
    .looseObject({
      name: z.string().describe('Name of the member.'),
      id: z.string().optional().describe('Id that the store gave it.'),
    })
    .optional()
    .describe('The member of the store of the cluster that the Node runs, as the store listed it.'),
  leftStore: z
    .boolean()
    .optional()
    .describe('Whether the Node has left a store that lists its members nowhere; it is then not taken out again.'),
  lastHandledReconcileAt: z
    .string()
    .optional()
    .describe('Value of the annotation crossplane.io/reconcile-requested-at when the object was last looked at.'),
  certificates: z
    .looseObject({
      apiServer: z
        .string()
        .optional()
        .describe('When the certificate expires with which the Kubernetes API of the cluster serves.'),
      kubeletServing: z
        .string()
        .optional()
        .describe('When the last certificate expires that was issued to the kubelet to serve with.'),
      pending: z
        .array(
          z.looseObject({
            request: z.string().describe('Name of the CertificateSigningRequest.'),
            why: z.string().describe('Why it is not approved.'),
          }),
        )
        .max(5)
        .optional()
        .describe('Requests of the kubelet that a person has to decide about.'),
    })
    .optional()
    .describe('Certificates of the Node and of its cluster.'),
  conditions: conditions('State of the Node.', NodeConditionType.options),
});

export const WorkloadNode = z.looseObject({
  apiVersion: z.literal(NODE_API_VERSION),
  kind: z.literal('WorkloadNode'),
  spec: WorkloadNodeSpec,
  status: WorkloadNodeStatus.optional(),
});

export type MembershipKind = (typeof MEMBERSHIPS)[number];
export type WorkloadNodeMembership = z.output<typeof WorkloadNodeMembership>;
export type WorkloadNodeStart = z.input<typeof WorkloadNodeStart>;
export type WorkloadNodeUpdate = z.output<typeof WorkloadNodeUpdate>;
export type WorkloadNodeSpec = z.input<typeof WorkloadNodeSpec>;
export type WorkloadNodeStatus = z.output<typeof WorkloadNodeStatus>;
