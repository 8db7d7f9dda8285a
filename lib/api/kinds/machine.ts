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
import { Drain } from '../fields/drain.ts';
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
  role: immutable(z.enum(['worker', 'control-plane']), 'the role of a node cannot change')
    .default('worker')
    .describe('Role of the node.'),
  version: version().describe('Kubernetes version of the node.'),
  failureDomain: immutable(z.string().min(1).max(63), 'a machine cannot move')
    .optional()
    .describe('Failure domain of the machine. Default: the first one of the Cluster.'),
  machine: MachineShape.describe('Size, image and disks of the machine.'),
  ...nodeMarks,
  bootstrap: MachineBootstrap.describe('Bootstrap provider, which turns the host into a node.'),
  provisioning: Provisioning.prefault({}).describe('First-boot configuration.'),
  infrastructure: z.strictObject({ overrides }).prefault({}).describe('Settings that only the cloud has.'),
  drain: Drain.prefault({}).describe('How the Node is drained before the machine is stopped or deleted.'),
  rolloutAfter: time()
    .optional()
    .describe(
      'Value of update.rolloutAfter of the pool when this machine was created. If the value of the pool differs, the machine is replaced.',
    ),
  update: MachineUpdate.optional().describe('An in-place update requested by the pool.'),
});

export const MachineSpec = keepsPresence(MachineFields, { failureDomain: 'a machine cannot move' });

const Address = z.looseObject({
  type: z.string().describe('InternalIP, ExternalIP, InternalDNS, ExternalDNS or Hostname.'),
  address: z.string().describe('The address.'),
});

export const MachineStatus = z.looseObject({
  phase: z.string().optional().describe('Pending, Provisioning, Provisioned, Running, Updating, Deleting or Failed.'),
  providerID: z.string().optional().describe('Provider id of the machine, in the format of spec.providerID of Nodes.'),
  instanceID: z
    .string()
    .optional()
    .describe(
      'First id that the cloud gave this machine. If the id changes later, the machine is lost and must be replaced.',
    ),
  nodeRef: z
    .looseObject({ name: z.string().describe('Name of the Node.') })
    .optional()
    .describe('The Node, once it registered.'),
  addresses: z.array(Address).max(16).optional().describe('Addresses of the machine.'),
  version: z.string().optional().describe('Version the kubelet reports.'),
  failureDomain: z.string().optional().describe('Failure domain that the machine runs in.'),
  size: z
    .looseObject({
      instanceType: z.string().describe('Instance type, as the cloud reports it.'),
      classes: z.array(z.string()).max(100).describe('Every spec.machine.class that maps to this instance type.'),
    })
    .optional()
    .describe('Actual size of the machine; not set while its instance type is being changed.'),
  payload: z
    .looseObject({
      secretName: z.string().describe('Secret that holds the first-boot data.'),
      format: z.string().describe('Format of the data.'),
      bytes: z.int().describe('Size as sent to the cloud.'),
    })
    .optional()
    .describe('First-boot data of the machine.'),
  nodeConditions: nodeConditions.describe(
    'Conditions of the Node, except pressure conditions and NetworkUnavailable that are False.',
  ),
  update: MachineUpdateStatus.optional().describe('The current or last update.'),
});

export const Machine = composite('Machine', MachineSpec.extend(machinery), MachineStatus);

export type MachineSpec = z.output<typeof MachineSpec>;
export type MachineStatus = z.output<typeof MachineStatus>;
export type Machine = z.output<typeof Machine>;
