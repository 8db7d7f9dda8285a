/**
 * Contract "infrastructure status", version 1: infrastructure data of a Cluster for its pools and machines. The cluster
 * step writes it into `status.infrastructure` of the Cluster; bootstrap, nodepool and machine read it. A third party
 * with other infrastructure fills in the same fields.
 */
import { z } from 'zod';
import { ExistingIdentities, ExistingPart, ExistingSecurityGroups } from '../fields/infrastructure.ts';
import { MetadataService } from './metadata-service.ts';

const FailureDomain = z.strictObject({
  name: z.string().min(1).describe('Name of the failure domain, such as eu-west-1a.'),
  subnet: z.string().min(1).describe('Id of the subnet for machines in this failure domain.'),
  controlPlane: z.boolean().default(true).describe('Whether control-plane machines may be placed in it.'),
});

const LoadBalancerTarget = z.strictObject({
  id: z.string().min(1).describe('Id of the target that machines register with, such as the ARN of a target group.'),
  port: z.int().min(1).max(65_535).describe('Port of the machine that receives the traffic.'),
});

const ApiAccess = z.looseObject({
  scheme: z
    .enum(['internal', 'internet-facing'])
    .optional()
    .describe('Scheme of its load balancer; not set without one.'),
  localAddress: z
    .boolean()
    .optional()
    .describe(
      'Whether control-plane machines have the address of the endpoint as a local one, because the load balancer does not lead a machine back to itself or passes packets on with its own address. Default: false.',
    ),
  keptCIDRs: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Network blocks that may reach it although the claim does not say so: those of a cluster from before v0.1.0, until the claim has allowedCIDRs.',
    ),
});

const MachineAttachments = z.strictObject({
  identity: z
    .string()
    .min(1)
    .optional()
    .describe('Identity of the machine: instance profile, managed identity or service account.'),
  securityGroups: z.array(z.string().min(1)).default([]).describe('Security groups of its network interface.'),
  loadBalancerTargets: z
    .array(LoadBalancerTarget)
    .default([])
    .describe('Load balancer targets that the machine registers with.'),
  firstBootSecrets: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Name prefix of the secrets in the cloud that the identity may read and delete. First-boot data is delivered as such a secret instead of as user data.',
    ),
});

const ProviderConfigRef = z.strictObject({
  kind: z.enum(['ProviderConfig', 'ClusterProviderConfig']).describe('Its kind.'),
  name: z.string().min(1).describe('Its name.'),
});

export const InfrastructureStatus = z.looseObject({
  contract: z.literal(1).describe('Version of this contract.'),
  cloud: z.string().min(1).describe('Name of the cloud, as in its Compositions.'),
  region: z.string().min(1).describe('Name of the region in the cloud.'),
  id: z
    .string()
    .min(1)
    .optional()
    .describe('Id of the cluster in the cloud: in names, and in the tag by which controllers find its objects.'),
  ready: z.boolean().describe('Whether machines can be created.'),
  network: z
    .looseObject({
      id: z.string().min(1).describe('Id of the network in the cloud.'),
      cidr: z.string().optional().describe('Its address block.'),
    })
    .optional()
    .describe('The network, once it exists.'),
  apiAccess: ApiAccess.optional().describe('Who may reach the Kubernetes API, where the claim alone does not say it.'),
  zones: z
    .array(z.string().min(1))
    .optional()
    .describe('Names of the failure domains that it is to have, until they exist: pools are judged by them.'),
  failureDomains: z.array(FailureDomain).default([]).describe('Where machines can be placed, once the subnets exist.'),
  controlPlane: MachineAttachments.optional().describe('What a control-plane machine is attached to, once it exists.'),
  worker: MachineAttachments.optional().describe('What a worker machine is attached to, once it exists.'),
  providerIDFormat: z
    .string()
    .optional()
    .describe(
      'Format of provider ids. ${instanceId} and ${failureDomain} are replaced by the values of a machine; everything else, such as a project, is used as it is.',
    ),
  metadataService: MetadataService.optional().describe(
    'Metadata service of the cloud, which tells machines their own id and failure domain.',
  ),
  existing: z
    .looseObject({
      securityGroups: ExistingSecurityGroups.optional().describe('Security groups, or network tags, of machines.'),
      identities: ExistingIdentities.optional().describe('Identities of machines.'),
      loadBalancerTargets: z
        .array(LoadBalancerTarget)
        .optional()
        .describe('What control-plane machines register with.'),
      resourceGroup: ExistingPart.optional().describe('The resource group of everything of this cluster.'),
      references: z
        .record(z.string(), z.string())
        .optional()
        .describe('Ids of managed resources that the claim names, by kind and name.'),
      encryptionKey: ExistingPart.optional().describe('The key of disks and first-boot data of machines.'),
    })
    .optional()
    .describe('Parts that somebody else provides, as the cluster was created with them.'),
  providerConfigRef: ProviderConfigRef.optional().describe(
    'Credentials of the provider for machines, if the claim chose them. Default: those of the Composition of the Machine.',
  ),
  tags: z.record(z.string(), z.string()).default({}).describe('Tags of every cloud object of this cluster.'),
});

export type InfrastructureStatus = z.output<typeof InfrastructureStatus>;
export type MachineAttachments = z.output<typeof MachineAttachments>;
