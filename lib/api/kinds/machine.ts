/** Machine: one node. Composed by a NodePool as a frozen copy of its template. */
import { z } from 'zod';
import { MachineUpdate, MachineUpdateStatus } from '../contracts/machine-update.ts';
import { MachineBootstrap } from '../fields/bootstrap.ts';
import { overrides } from '../fields/infrastructure.ts';
import { nodeConditions } from '../fields/health.ts';
import { MachineShape } from '../fields/machine-template.ts';
import { nodeMarks } from '../fields/node-marks.ts';
import { Provisioning } from '../fields/provisioning.ts';
import { objectName, time, version } from '../fields/text.ts';
import { Drain } from '../fields/update.ts';
import { immutable, keepsPresence } from '../schema/rules.ts';
import { composite, machinery } from './composite.ts';
import { ClusterRef } from './node-pool.ts';

const MachineFields = z.strictObject({
  clusterRef: immutable(ClusterRef, 'a node cannot move to another cluster').describe(
    'The Cluster this machine belongs to.',
  ),
  nodePoolRef: z
    .strictObject({ name: objectName().describe('Name of the NodePool.') })
    .optional()
    .describe('The NodePool that made this machine.'),
  role: immutable(z.enum(['worker', 'control-plane']), 'a node keeps its role')
    .default('worker')
    .describe('What the node is.'),
  version: version().describe('Kubernetes version of the node.'),
  failureDomain: immutable(z.string().min(1).max(63), 'a machine cannot move')
    .optional()
    .describe('Where the machine is placed. Left out, the first failure domain of the Cluster.'),
  machine: MachineShape.describe('What the machine is made of.'),
  ...nodeMarks,
  bootstrap: MachineBootstrap.describe('Who turns the host into a node.'),
  provisioning: Provisioning.prefault({}).describe('What runs on first boot.'),
  infrastructure: z.strictObject({ overrides }).prefault({}).describe('The escape hatch to the cloud.'),
  drain: Drain.prefault({}).describe('How the Node is emptied before the machine stops or goes.'),
  rolloutAfter: time()
    .optional()
    .describe("The pool's update.rolloutAfter that this machine was made by. A machine with another one is replaced."),
  update: MachineUpdate.optional().describe('An update in place that its pool ordered.'),
});

export const MachineSpec = keepsPresence(MachineFields, { failureDomain: 'a machine cannot move' });

const Address = z.looseObject({
  type: z.string().describe('InternalIP, ExternalIP, InternalDNS, ExternalDNS or Hostname.'),
  address: z.string().describe('The address.'),
});

export const MachineStatus = z.looseObject({
  phase: z.string().optional().describe('Pending, Provisioning, Provisioned, Running, Updating, Deleting or Failed.'),
  providerID: z.string().optional().describe('The id the cloud gave the machine, as Nodes carry it.'),
  instanceID: z
    .string()
    .optional()
    .describe(
      "The cloud's first id of this machine. One that comes back with another id is lost and must be replaced.",
    ),
  nodeRef: z
    .looseObject({ name: z.string().describe('Name of the Node.') })
    .optional()
    .describe('The Node, once it registered.'),
  addresses: z.array(Address).max(16).optional().describe('Addresses of the machine.'),
  version: z.string().optional().describe('Version the kubelet reports.'),
  failureDomain: z.string().optional().describe('Where the machine runs.'),
  size: z
    .looseObject({
      instanceType: z.string().describe('Instance type, as the cloud reports it.'),
      classes: z.array(z.string()).max(100).describe('Every spec.machine.class that comes to this instance type.'),
    })
    .optional()
    .describe('What the machine is; absent while its instance type is being changed.'),
  payload: z
    .looseObject({
      secretName: z.string().describe('Secret that holds the first-boot data.'),
      format: z.string().describe('Format of the data.'),
      bytes: z.int().describe('Size as handed to the cloud.'),
    })
    .optional()
    .describe('First-boot data of the machine.'),
  nodeConditions: nodeConditions.describe(
    'Conditions of the Node, as the Node has them, but for pressures and NetworkUnavailable that are False.',
  ),
  update: MachineUpdateStatus.optional().describe('The update under way or last done.'),
});

export const Machine = composite('Machine', MachineSpec.extend(machinery), MachineStatus);

export type MachineSpec = z.output<typeof MachineSpec>;
export type MachineStatus = z.output<typeof MachineStatus>;
export type Machine = z.output<typeof Machine>;
