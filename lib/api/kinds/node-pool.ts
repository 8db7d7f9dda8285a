/** NodePool: machines of one shape, claimed by an application team or composed by a Cluster for its control plane. */
import { z } from 'zod';
import { PoolBootstrap } from '../fields/bootstrap.ts';
import { HealthPolicy } from '../fields/health.ts';
import { claimedOverrides } from '../fields/infrastructure.ts';
import { MachineTemplate, NO_SPOT } from '../fields/machine-template.ts';
import { nodeMarks } from '../fields/node-marks.ts';
import { PoolProvisioning } from '../fields/provisioning.ts';
import { objectName, version } from '../fields/text.ts';
import { UpdatePolicy } from '../fields/update.ts';
import { anyObject, immutable, onAdmission, withRule } from '../schema/rules.ts';
import { composite, machinery } from './composite.ts';

export const ClusterRef = z.strictObject({
  name: objectName().describe('Name of the Cluster, in the same namespace.'),
});

const WORKER =
  'is not accepted; accepted: worker, since a Cluster makes its control plane from its own spec.controlPlane';

export const NodePoolSpec = z.strictObject({
  clusterRef: immutable(ClusterRef, 'nodes cannot move to another cluster').describe(
    'The Cluster these machines belong to.',
  ),
  role: immutable(z.enum(['worker', 'control-plane'], { error: WORKER }), 'the role of a node cannot change')
    .default('worker')
    .describe('Role of the nodes. The Cluster composes its own control-plane pool; claims must use worker.'),
  replicas: z
    .int()
    .min(0)
    .max(2000)
    .optional()
    .describe(
      'Number of machines; odd for a control plane. Default: the present number, or 1 for a new pool. kubectl scale sets it; autoscalers can only change a number that is there.',
    ),
  version: version()
    .optional()
    .describe(
      'Kubernetes version of these nodes; never newer than that of the control plane. Default: the format of the Cluster.',
    ),
  machine: MachineTemplate.describe('Template of the machines.'),
  ...nodeMarks,
  bootstrap: PoolBootstrap.prefault({}).describe('Bootstrap settings in addition to those of the Cluster.'),
  provisioning: PoolProvisioning.prefault({}).describe('First-boot configuration in addition to that of the Cluster.'),
  infrastructure: z
    .strictObject({ overrides: claimedOverrides })
    .prefault({})
    .describe('Settings of the machines that only the cloud has.'),
  update: UpdatePolicy.prefault({}).describe('How machines are updated.'),
  health: HealthPolicy.prefault({}).describe('When a machine is replaced.'),
  deletion: z
    .strictObject({
      order: z
        .enum(['Random', 'Newest', 'Oldest'])
        .optional()
        .describe(
          'Which machines are deleted first when scaling down, after those marked for deletion and those that are not ready. Default: machines in the failure domain with the most machines.',
        ),
    })
    .prefault({})
    .describe('Which machines are deleted when scaling down.'),
  paused: z.boolean().default(false).describe('Stops every change to existing machines; scaling continues.'),
});

const count = () => z.int().default(0);

/** What the next step of the machines is, in a few lines. */
const PoolPlan = z.object({
  upToDate: count().describe('Machines that do not change.'),
  patched: count().describe('Machines that are being patched.'),
  updating: count().describe('Machines that are being updated in place.'),
  waiting: count().describe('Machines that wait for their turn, or for their replacement.'),
  created: count().describe('Machines that are being created.'),
  removed: count().describe('Machines that are being deleted.'),
  held: count().describe('Machines that stay as they are until a problem is fixed.'),
  changes: z
    .array(z.string().max(512))
    .max(6)
    .default([])
    .describe('The first changes: decision, field, old and new value, machines, reason. "and N more" comes last.'),
});

/** A machine that was given up, for the one that succeeds it. */
export const Remediation = z.object({
  machine: z.string().max(253).describe('The failed machine.'),
  retryCount: z.int().min(0).default(0).describe('How many machines before it failed in a row.'),
  failureDomains: z
    .array(z.string().max(63))
    .max(16)
    .optional()
    .describe(
      'Failure domains that had no capacity for it or for the machines before it that failed in a row, in the order they were tried.',
    ),
});

/** A machine that was given up and has no replacement yet. */
export const PendingRemediation = Remediation.extend({
  slot: z.int().optional().describe('The slot of its replacement. Default: the first free slot.'),
});

/** What machines were last allowed to be: the whole of it holds while a part of an edit waits or is refused. */
const AcceptedTemplate = z.object({
  template: anyObject().describe('Spec that new machines get, without what differs from machine to machine.'),
  zones: z.array(z.string().max(63)).max(16).optional().describe('Failure domains of machine.zones.'),
  rolloutAfter: z.string().max(64).optional().describe('The restart of update.rolloutAfter.'),
});

export const NodePoolStatus = z.looseObject({
  replicas: z.int().default(0).describe('Machines that exist, including those being deleted.'),
  readyReplicas: z.int().default(0).describe('Machines that are ready.'),
  availableReplicas: z.int().default(0).describe('Machines that are ready and not being deleted.'),
  upToDateReplicas: z.int().default(0).describe('Machines that match the pool.'),
  keptReplicas: z.int().min(0).optional().describe('Number of machines while spec.replicas is not set.'),
  acceptedReplicas: z
    .int()
    .min(0)
    .optional()
    .describe('Number of machines that was accepted last: a limit that comes later leaves it.'),
  accepted: AcceptedTemplate.optional().describe(
    'What machines were last allowed to be. While a part of an edit waits or is refused, it holds whole.',
  ),
  acceptedSpec: anyObject()
    .optional()
    .describe('Spec of the claim that was accepted last. The pool goes on with it while an edit is refused.'),
  selector: z.string().optional().describe('Label selector of the machines, for the scale subresource.'),
  version: z.string().optional().describe('The oldest Kubernetes version among the nodes.'),
  initialized: z
    .boolean()
    .default(false)
    .describe('Control plane only: true once the first machine became a node; never set back.'),
  nextSerial: z
    .int()
    .default(0)
    .describe('Serial number of the next machine, so that a machine never gets the name of a deleted one.'),
  phase: z
    .string()
    .optional()
    .describe(
      'The first that applies of: Waiting: the Cluster is not ready for machines yet. Paused. ScalingDown. ScalingUp. Provisioning: machines are being created or are not ready. RollingOut: machines are being patched, updated or replaced. Held: changes are blocked until the problem in condition MachinesUpToDate is fixed. Running.',
    ),
  released: z
    .array(z.string().max(253))
    .max(4000)
    .default([])
    .describe('Machines that were deleted and are still listed; a stale list does not bring them back.'),
  pendingRemediations: z
    .array(PendingRemediation)
    .max(50)
    .default([])
    .describe('Failed machines whose replacement was not created yet.'),
  plan: PoolPlan.optional().describe('What happens to the machines and why, while there is something to do.'),
});

const AnyNodePool = composite('NodePool', NodePoolSpec.extend(machinery), NodePoolStatus);

// Both are about fields that keep their first value, so neither stops a pool that exists and was accepted.
const WorkersOnly = onAdmission(AnyNodePool, {
  cel: "self.spec.role != 'control-plane' || self.metadata.name == self.spec.clusterRef.name + '-control-plane'",
  field: ['spec', 'role'],
  message:
    'must be worker: the Cluster creates its control-plane pool from its own spec.controlPlane, with the name <cluster>-control-plane',
});

const NoSpot = withRule(WorkersOnly, {
  cel: "self.spec.role != 'control-plane' || !has(self.spec.machine.capacityType) || self.spec.machine.capacityType != 'spot'",
  holds: ({ spec }) => spec.role !== 'control-plane' || spec.machine.capacityType !== 'spot',
  field: ['spec', 'machine', 'capacityType'],
  message: NO_SPOT,
});

export const NodePool = withRule(NoSpot, {
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
export type AcceptedTemplate = z.output<typeof AcceptedTemplate>;
export type PoolPlan = z.output<typeof PoolPlan>;
export type NodePool = z.output<typeof NodePool>;
