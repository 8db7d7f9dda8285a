/**
 * Hosts that somebody else provides, and the claims by which machines get them. The owner of hosts writes a Host for each
 * and starts it with the first-boot data of the HostClaim that got it; provider-node decides which one that is.
 */
import { z } from 'zod';
import { conditions } from '../fields/conditions.ts';

const word = () => z.string().min(1).max(63);

const Address = z.strictObject({
  type: z
    .enum(['InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS', 'Hostname'])
    .describe('Type of the address, as in the status of a Node.'),
  address: z.string().min(1).max(253).describe('The address.'),
});

export const HostSpec = z.strictObject({
  size: z.string().min(1).max(64).describe('Size of the host: a class of claims, or what the Composition maps it to.'),
  region: word()
    .optional()
    .describe('Region of the host, by the name that claims or the Composition use. Default: it serves every region.'),
  failureDomain: word()
    .optional()
    .describe('Failure domain of the host, such as a rack. Default: none; it serves only machines that ask for none.'),
  rootDiskGiB: z
    .int()
    .min(1)
    .optional()
    .describe('Size of its disk in GiB. Default: it serves machines that ask for any size.'),
  dataDisksGiB: z
    .array(z.int().min(1))
    .max(32)
    .optional()
    .describe('Sizes of its other disks in GiB, which are empty. Default: it serves machines that ask for any.'),
  addresses: z.array(Address).max(16).prefault([]).describe('Addresses of the host.'),
  prepared: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      'How often the host was prepared for a machine. Default: once. Raise it once it is off and its disks are empty again after a machine: only then is it free. 0: it was not prepared yet.',
    ),
});

export const HostStatus = z.looseObject({
  phase: z
    .enum(['Available', 'Bound', 'Released'])
    .optional()
    .describe(
      'Available: free. Bound: a HostClaim has it. Released: its HostClaim is gone, and its owner has not prepared it again.',
    ),
  claim: z.string().optional().describe('Name of the HostClaim that has it, or had it last.'),
  released: z.int().optional().describe('Value of spec.prepared when its last machine was gone.'),
});

export const HostClaimSpec = z.strictObject({
  forProvider: z
    .strictObject({
      region: word().describe('Region of the host.'),
      failureDomain: word().optional().describe('Failure domain of the host. Default: any.'),
      size: z.string().min(1).max(64).describe('Size of the host.'),
      image: z
        .string()
        .min(1)
        .max(256)
        .optional()
        .describe('What its owner installs on the host. Default: what is there.'),
      version: z.string().min(1).max(63).describe('Kubernetes version of the machine, for its owner.'),
      rootDisk: z
        .strictObject({
          sizeGiB: z.int().min(1).describe('Least size of its disk in GiB.'),
          type: z.string().min(1).max(64).optional().describe('Type of the disk, for its owner.'),
          encrypted: z.boolean().describe('Whether its owner encrypts the disk.'),
        })
        .describe('The disk that the machine boots from.'),
      dataDisks: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(63).describe('Its name in the claim.'),
            sizeGiB: z.int().min(1).describe('Its least size in GiB.'),
            type: z.string().min(1).max(64).optional().describe('Type of the disk, for its owner.'),
            encrypted: z.boolean().describe('Whether its owner encrypts the disk.'),
          }),
        )
        .max(8)
        .optional()
        .describe('Its other disks, which are empty.'),
      role: z.enum(['control-plane', 'worker']).describe('What the host becomes.'),
      nodeName: z.string().min(1).max(253).describe('Name of its Node, and of the host.'),
      loadBalancerTargets: z
        .array(
          z.strictObject({
            id: z.string().min(1).max(253).describe('The endpoint, as HOST:PORT.'),
            port: z.int().min(1).max(65_535).describe('Port of the host that receives the traffic.'),
          }),
        )
        .max(16)
        .prefault([])
        .describe('Endpoints that its owner has to lead to the host.'),
      userDataSecretRef: z
        .strictObject({
          name: z.string().min(1).max(253).describe('Name of the Secret.'),
          key: z.string().min(1).max(253).describe('Key that holds it.'),
        })
        .describe('First-boot data, which its owner hands to the host. The key format says what it is.'),
    })
    .describe('The host that a machine needs.'),
});

export const HostClaimStatus = z.looseObject({
  atProvider: z
    .looseObject({
      host: z.string().optional().describe('Name of the Host.'),
      failureDomain: z.string().optional().describe('Failure domain of the Host.'),
      addresses: z.array(Address).optional().describe('Addresses of the Host.'),
    })
    .optional()
    .describe('The Host that it got.'),
  conditions: conditions('State of the claim.', ['Synced', 'Ready']),
});

export type HostSpec = z.output<typeof HostSpec>;
export type HostStatus = z.output<typeof HostStatus>;
export type HostClaimSpec = z.output<typeof HostClaimSpec>;
export type HostClaimStatus = z.output<typeof HostClaimStatus>;
