/** NodePool: machines of one shape, claimed by an application team or composed by a Cluster for its control plane. */
import { z } from 'zod';
import { PoolBootstrap } from '../fields/bootstrap.ts';
import { HealthPolicy } from '../fields/health.ts';
import { overrides } from '../fields/infrastructure.ts';
import { MachineTemplate } from '../fields/machine-template.ts';
import { nodeMarks } from '../fields/node-marks.ts';
import { PoolProvisioning } from '../fields/provisioning.ts';
import { objectName, version } from '../fields/text.ts';
import { UpdatePolicy } from '../fields/update.ts';
import { immutable, onAdmission, withRule } from '../schema/rules.ts';
import { composite, machinery } from './composite.ts';

export const ClusterRef = z.strictObject({
  name: objectName().describe('Name of the Cluster, in the same namespace.'),
});

export const NodePoolSpec = z.strictObject({
  clusterRef: immutable(ClusterRef, 'nodes cannot move to another cluster').describe(
    'The Cluster these machines belong to.',
  ),
  role: immutable(z.enum(['worker', 'control-plane']), 'a node keeps its role')
    .default('worker')
    .describe('What the nodes are. The control-plane pool is composed by its Cluster; claims are workers.'),
  replicas: z.int().min(0).max(2000).default(1).describe('Number of machines; odd for a control plane.'),
  version: version()
    .optional()
    .describe("Kubernetes version of these nodes; never newer than the control plane's. Left out, the Cluster's."),
  machine: MachineTemplate.describe('What each machine is made of.'),
  ...nodeMarks,
  bootstrap: PoolBootstrap.prefault({}).describe("Bootstrap settings beside the Cluster's."),
  provisioning: PoolProvisioning.prefault({}).describe("First-boot configuration beside the Cluster's."),
  infrastructure: z
    .strictObject({ overrides })
    .prefault({})
    .describe('The escape hatch to the cloud, for the machines.'),
  update: UpdatePolicy.prefault({}).describe('How machines are updated.'),
  health: HealthPolicy.prefault({}).describe('When a machine is replaced.'),
  deletion: z
    .strictObject({
      order: z
        .enum(['Random', 'Newest', 'Oldest'])
        .optional()
        .describe(
          'Which machines go first on scaling down, after those that are marked for it and those that are not ready. Left out, those of the most crowded failure domain.',
        ),
    })
    .prefault({})
    .describe('Which machines go when there are too many.'),
  paused: z.boolean().default(false).describe('Stops every change to existing machines; scaling goes on.'),
});

const count = () => z.int().default(0);

/** What the next step of the machines is, in a few lines. */
const PoolPlan = z.object({
  upToDate: count().describe('Machines to which nothing happens.'),
  patched: count().describe('Machines that are patched now.'),
  updating: count().describe('Machines that are updated in place.'),
  waiting: count().describe('Machines that wait for their turn, or for their successor.'),
  created: count().describe('Machines that are made.'),
  removed: count().describe('Machines that go.'),
  held: count().describe('Machines that stay as they are until something is mended.'),
  changes: z
    .array(z.string().max(512))
    .max(6)
    .default([])
    .describe('The first changes: decision, field, old and new value, machines, reason. "and N more" comes last.'),
});

/** A machine that was given up, for the one that succeeds it. */
export const Remediation = z.object({
  machine: z.string().max(253).describe('The machine that was given up.'),
  retryCount: z.int().min(0).default(0).describe('How many before it had failed in a row.'),
  failureDomains: z
    .array(z.string().max(63))
    .max(16)
    .optional()
    .describe(
      'Failure domains that had no capacity for it or for those it succeeded in a row; the last one tried comes last.',
    ),
});

/** A machine that was given up and has no successor yet. */
export const PendingRemediation = Remediation.extend({
  slot: z.int().optional().describe('The slot whose next machine succeeds it. Left out, the first that is free.'),
});

export const NodePoolStatus = z.looseObject({
  replicas: z.int().default(0).describe('Machines that exist, those on their way out included.'),
  readyReplicas: z.int().default(0).describe('Machines that are ready.'),
  availableReplicas: z.int().default(0).describe('Machines that are ready and not on their way out.'),
  upToDateReplicas: z.int().default(0).describe('Machines that are what the pool asks for.'),
  selector: z.string().optional().describe('Label selector of the machines, for the scale subresource.'),
  version: z.string().optional().describe('The oldest Kubernetes version among the nodes.'),
  initialized: z
    .boolean()
    .default(false)
    .describe('Control plane only: true for ever once the first machine became a node.'),
  nextSerial: z
    .int()
    .default(0)
    .describe(
      'Serial number of the next machine; machines of one pool never share a name, also after one was deleted.',
    ),
  phase: z
    .string()
    .optional()
    .describe(
      'Waiting: for the Cluster, before machines can be made. Paused. ScalingDown, ScalingUp. Provisioning: machines are made or not ready. RollingOut: machines are patched to, updated to or replaced by what the claim says. Held: changes stay undone until somebody mends what MachinesUpToDate names. Running. The first that applies.',
    ),
  released: z
    .array(z.string().max(253))
    .max(4000)
    .default([])
    .describe('Machines that were let go and are still listed. A list that lags does not bring them back.'),
  pendingRemediations: z
    .array(PendingRemediation)
    .max(50)
    .default([])
    .describe('Machines that were given up and whose successor was not made yet.'),
  plan: PoolPlan.optional().describe('What happens to the machines and why, while there is something to do.'),
});

const AnyNodePool = composite('NodePool', NodePoolSpec.extend(machinery), NodePoolStatus);

// Both are about fields that keep their first value, so neither stops a pool that exists and was accepted.
const WorkersOnly = onAdmission(AnyNodePool, {
  cel: "self.spec.role != 'control-plane' || self.metadata.name == self.spec.clusterRef.name + '-control-plane'",
  message:
    'must have role worker: the Cluster makes its control-plane pool from its own spec.controlPlane, under the name <cluster>-control-plane',
});

export const NodePool = withRule(WorkersOnly, {
  cel: "self.spec.role == 'control-plane' || self.metadata.name != self.spec.clusterRef.name + '-control-plane'",
  holds: ({ metadata, spec }) =>
    spec.role === 'control-plane' || metadata.name !== `${spec.clusterRef.name}-control-plane`,
  field: ['metadata', 'name'],
  message: 'must not be <cluster>-control-plane: the Cluster gives that name to its control-plane pool',
});

export type Remediation = z.output<typeof Remediation>;
export type PendingRemediation = z.output<typeof PendingRemediation>;
export type NodePoolSpec = z.output<typeof NodePoolSpec>;
export type NodePoolStatus = z.output<typeof NodePoolStatus>;
export type PoolPlan = z.output<typeof PoolPlan>;
export type NodePool = z.output<typeof NodePool>;
