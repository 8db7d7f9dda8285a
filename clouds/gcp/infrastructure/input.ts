/** The GCP section of the input. */
import { z } from 'zod';
import { cidr } from '#lib/api/fields/text.ts';

export const GcpInput = z.strictObject({
  natAddresses: z
    .int()
    .min(1)
    .max(16)
    .default(1)
    .describe(
      'Number of public addresses of the NAT gateway. Machines share the ports of an address: about 64,000 connections to each destination. An existing cluster keeps those it has, and gets more.',
    ),
  secondaryRanges: z
    .boolean()
    .default(true)
    .describe(
      'Whether the composed subnet reserves the blocks of pods and Services as secondary ranges: nothing else in the network can then use them, and a pod network may give them to pods as alias addresses. Networks that are peered must not have the same ranges. An existing subnet keeps its ranges.',
    ),
  nodePortCIDRs: z
    .array(cidr())
    .max(32)
    .prefault([])
    .describe('Network blocks that may reach NodePort Services on the machines. Default: none.'),
  diskDriverRoles: z
    .boolean()
    .default(true)
    .describe(
      'Whether control-plane machines have the roles of the controller of the Persistent Disk CSI driver: disks and snapshots of the project, and attaching them to machines of their cluster.',
    ),
});

export type GcpInput = z.output<typeof GcpInput>;
