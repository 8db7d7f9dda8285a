/** The Azure section of the input. */
import { z } from 'zod';
import { cidr } from '#lib/api/fields/text.ts';

export const AzureInput = z.strictObject({
  natAddresses: z
    .int()
    .min(1)
    .max(16)
    .default(1)
    .describe(
      'Number of public addresses of the NAT gateway. Machines share the ports of an address: about 64,000 connections to each destination. An existing cluster keeps those it has, and gets more.',
    ),
  nodePortCIDRs: z
    .array(cidr())
    .max(32)
    .prefault([])
    .describe('Network blocks that may reach NodePort Services on the machines. Default: none.'),
  controllerRoles: z
    .boolean()
    .default(true)
    .describe(
      'Whether control-plane machines have the roles that the cloud controller manager and the controller of the Azure Disk CSI driver need, on the resource group of their cluster: Virtual Machine Contributor, Network Contributor and Disk Snapshot Contributor.',
    ),
  registries: z
    .array(
      z
        .string()
        .regex(
          /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.ContainerRegistry\/registries\/[^/]+$/,
          {
            error:
              'is not a registry; accepted: such as /subscriptions/<id>/resourceGroups/images/providers/Microsoft.ContainerRegistry/registries/myregistry',
          },
        ),
    )
    .max(8)
    .prefault([])
    .describe('Ids of container registries that every machine may pull images from. Default: none.'),
});

export type AzureInput = z.output<typeof AzureInput>;
