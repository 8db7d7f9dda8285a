/**
 * Contract "infrastructure status", version 1: what a Cluster's infrastructure tells its pools and machines.
 * Written by the cluster step into `status.infrastructure` of the Cluster, read by bootstrap, nodepool and
 * machine. A third party that makes infrastructure in another way fills in the same fields.
 */
import { z } from 'zod';
import { MetadataService } from './metadata-service.ts';

const FailureDomain = z.strictObject({
  name: z.string().min(1).describe('Name machines are placed by, such as eu-west-1a.'),
  subnet: z.string().min(1).describe("The cloud's id of the subnet machines of this domain use."),
  controlPlane: z.boolean().default(true).describe('Whether control-plane machines may be placed here.'),
});

const LoadBalancerTarget = z.strictObject({
  id: z.string().min(1).describe('What a machine registers with, such as the ARN of a target group.'),
  port: z.int().min(1).max(65_535).describe('Port of the machine that receives the traffic.'),
});

const MachineSurroundings = z.strictObject({
  identity: z
    .string()
    .min(1)
    .optional()
    .describe('What the machine runs as: instance profile, managed identity or service account.'),
  securityGroups: z.array(z.string().min(1)).default([]).describe('Security groups of its network interface.'),
  loadBalancerTargets: z.array(LoadBalancerTarget).default([]).describe('Load balancers it serves.'),
  firstBootSecrets: z
    .string()
    .min(1)
    .optional()
    .describe(
      'How names begin of the secrets in the cloud that its identity may read and delete, which is how first-boot data stays out of user data.',
    ),
});

export const InfrastructureStatus = z.looseObject({
  contract: z.literal(1).describe('Version of this contract.'),
  cloud: z.string().min(1).describe('The cloud, as its Compositions call it.'),
  region: z.string().min(1).describe("The cloud's own name of the region."),
  ready: z.boolean().describe('Whether machines can be made.'),
  network: z
    .looseObject({
      id: z.string().min(1).describe("The cloud's id of the network."),
      cidr: z.string().optional().describe('Its address block.'),
    })
    .optional()
    .describe('The network, once it exists.'),
  failureDomains: z.array(FailureDomain).default([]).describe('Where machines can be placed, once the subnets exist.'),
  controlPlane: MachineSurroundings.optional().describe('What a control-plane machine is attached to, once it exists.'),
  worker: MachineSurroundings.optional().describe('What a worker machine is attached to, once it exists.'),
  providerIDFormat: z
    .string()
    .optional()
    .describe(
      'How a provider id is written: ${instanceId} and ${failureDomain} stand for the values of a machine. What all machines share, such as a project, stands in it as it is.',
    ),
  metadataService: MetadataService.optional().describe('How machines ask the cloud who they are.'),
  tags: z.record(z.string(), z.string()).default({}).describe('Tags every cloud object of this cluster carries.'),
});

export type InfrastructureStatus = z.output<typeof InfrastructureStatus>;
export type MachineSurroundings = z.output<typeof MachineSurroundings>;
