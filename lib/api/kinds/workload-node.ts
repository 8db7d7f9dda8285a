/** WorkloadNode: one Node of a workload cluster, as a managed resource. Composed by a Machine, served by provider-node. */
import { z } from 'zod';
import { nodeConditions } from '../fields/health.ts';
import { nodeMarks } from '../fields/node-marks.ts';
import { duration, objectName } from '../fields/text.ts';
import { Drain } from '../fields/update.ts';
import { NODE_API_VERSION } from '../words.ts';

const NodeRef = z.strictObject({
  name: z.string().min(1).max(253).describe('Name of the Node.'),
  providerID: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('Provider id of the Node, once the cloud gave one; it wins over the name.'),
});

export const WorkloadNodeUpdate = z.strictObject({
  id: z.string().min(1).max(63).describe('Hash of the target; an update is run once per id.'),
  disruptive: z.boolean().default(false).describe('Whether the Node is drained first, and stays cordoned to the end.'),
  hold: z
    .boolean()
    .default(false)
    .describe('Somebody else changes the machine: once drained the Node waits, in phase Drained, until this is false.'),
  updaters: z
    .array(z.string().min(1).max(63))
    .max(64)
    .default([])
    .describe('What runs on the Node, in this order: each is the script of that name in the Secret.'),
  payloadSecretRef: z
    .strictObject({ name: z.string().min(1).max(253).describe('Name of the Secret.') })
    .optional()
    .describe('Secret with one key for each updater: a POSIX shell script that may be run again.'),
  version: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe('What the kubelet must report at the end. Left out, the Node only has to be ready again.'),
  timeout: duration().default('30m').describe('How long all of it may take, the drain and the wait included.'),
});

export const WorkloadNodeStart = z.strictObject({
  kind: z.enum(['Talos']).describe('Talos: the call Bootstrap of the Talos API.'),
  secretRef: z
    .strictObject({
      name: z.string().min(1).max(253).describe('Name of the Secret.'),
      key: z.string().min(1).max(253).describe('Key that holds a talosconfig.'),
    })
    .describe('What the caller shows.'),
  addresses: z
    .array(z.string().min(1).max(253))
    .max(16)
    .default([])
    .describe('Where the machine answers; the first that does is called.'),
});

export const WorkloadNodeSpec = z.strictObject({
  providerConfigRef: z
    .strictObject({
      kind: z
        .enum(['ProviderConfig', 'ClusterProviderConfig'])
        .default('ProviderConfig')
        .describe('Kind of the configuration.'),
      name: z.string().min(1).max(253).describe('Its name.'),
    })
    .describe('How to reach the workload cluster.'),
  clusterRef: z
    .strictObject({
      name: objectName().describe('Name of the Cluster, in the same namespace.'),
      uid: z.string().min(1).max(63).optional().describe('Its uid; another uid is another Cluster.'),
    })
    .optional()
    .describe(
      'The Cluster of the Node. Once that is gone or being deleted, the Node is let go without a drain and without leaving etcd. Left out, it is let go when what leads to the workload cluster is missing.',
    ),
  node: NodeRef.describe('The Node this object stands for.'),
  ...nodeMarks,
  unschedulable: z.boolean().default(false).describe('Whether new pods are kept off the Node.'),
  drain: Drain.prefault({}).describe(
    'How the Node is emptied when this object is deleted, or for a disruptive update.',
  ),
  update: WorkloadNodeUpdate.optional().describe('An update of the Node in place.'),
  start: WorkloadNodeStart.optional().describe(
    'The machine starts its cluster, and waits to be called for it, once. It is called before the Node is looked for.',
  ),
  etcdMember: z
    .boolean()
    .default(false)
    .describe('Whether the Node is an etcd member that must leave etcd before the object goes.'),
});

export const WorkloadNodeStatus = z.looseObject({
  nodeRef: z
    .looseObject({
      name: z.string().describe('Name of the Node.'),
      uid: z.string().optional().describe('Its uid; another uid is another node.'),
    })
    .optional()
    .describe('The Node, once found.'),
  started: z.boolean().optional().describe('Whether the machine took the call of spec.start; it is not called again.'),
  nodeInfo: z
    .looseObject({
      kubeletVersion: z.string().optional().describe('Version of the kubelet.'),
      osImage: z.string().optional().describe('Operating system.'),
      containerRuntimeVersion: z.string().optional().describe('Container runtime.'),
    })
    .optional()
    .describe('What the Node says of itself.'),
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
    })
    .optional()
    .describe('The update under way or last done.'),
  conditions: z
    .array(
      z.looseObject({
        type: z.string().describe('Ready, Synced, NodeHealthy, Drained or Updated.'),
        status: z.string().describe('True, False or Unknown.'),
        reason: z.string().describe('One word.'),
        message: z.string().optional().describe('One line.'),
        lastTransitionTime: z.string().optional().describe('When the status changed.'),
      }),
    )
    .max(16)
    .optional()
    .describe('State of the Node.'),
});

export const WorkloadNode = z.looseObject({
  apiVersion: z.literal(NODE_API_VERSION),
  kind: z.literal('WorkloadNode'),
  spec: WorkloadNodeSpec,
  status: WorkloadNodeStatus.optional(),
});

export const NodeProviderConfigSpec = z.strictObject({
  credentials: z
    .strictObject({
      secretRef: z
        .strictObject({
          name: z.string().min(1).max(253).describe('Name of the Secret.'),
          key: z.string().min(1).max(253).default('value').describe('Key that holds the kubeconfig.'),
        })
        .describe('Secret with a kubeconfig.'),
    })
    .describe('How to reach the workload cluster.'),
});

export type WorkloadNodeStart = z.input<typeof WorkloadNodeStart>;
export type WorkloadNodeUpdate = z.output<typeof WorkloadNodeUpdate>;
export type WorkloadNodeSpec = z.input<typeof WorkloadNodeSpec>;
export type WorkloadNodeStatus = z.output<typeof WorkloadNodeStatus>;
