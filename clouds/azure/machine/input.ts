/** Settings for machines on Azure, in addition to those of every cloud. */
import { z } from 'zod';
import { NOBODY } from './nobody.ts';

export const AzureMachineInput = z.strictObject({
  diskType: z
    .string()
    .min(1)
    .max(63)
    .default('Premium_LRS')
    .describe(
      'OS disk type for claims that do not set one. Sizes without s in their names need another one, such as StandardSSD_LRS.',
    ),
  diskEncryptionSetId: z
    .string()
    .regex(
      /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/diskEncryptionSets\/[^/]+$/,
      {
        error:
          'is not a disk encryption set; accepted: such as /subscriptions/<id>/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/disks',
      },
    )
    .optional()
    .describe(
      'Disk encryption set with the key that encrypts OS disks. Default: the keys of Microsoft, which always encrypt. Existing disks keep theirs.',
    ),
  encryptionAtHost: z
    .boolean()
    .default(false)
    .describe(
      'Whether machines whose claim has rootDisk.encrypted also encrypt at the host: temporary disks and caches. The subscription must have the feature EncryptionAtHost. Existing machines keep what they have.',
    ),
  adminUsername: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/, { error: 'is not a user name; accepted: such as slipway' })
    .default('slipway')
    .describe('The user that Azure creates on every machine, besides those of claims.'),
  adminPublicKey: z
    .string()
    .regex(/^ssh-(rsa|ed25519) [A-Za-z0-9+/]+={0,2}( \S+)?$/, {
      error: 'is not a public key; accepted: one that begins with ssh-rsa or ssh-ed25519',
    })
    .default(NOBODY)
    .describe(
      'Public SSH key of that user, which Azure requires. Default: a key that nobody has, so that nobody can use it.',
    ),
  acceleratedNetworking: z
    .boolean()
    .default(true)
    .describe(
      'Whether network interfaces bypass the switch of the host. The sizes of the classes support it; a size that does not is refused by Azure. Existing machines keep what they have.',
    ),
  ipForwarding: z
    .boolean()
    .default(false)
    .describe(
      'Whether a machine may send packets with addresses of others: needed for a pod network that does not encapsulate packets. Existing machines keep what they have.',
    ),
  userData: z
    .enum(['KeyVault', 'Plain'])
    .default('KeyVault')
    .describe(
      'How first-boot data reaches a machine. KeyVault: as secrets that only the identity of its role can read, and that are deleted once the node registered. Plain: as custom data, which stays on the machine, for every format. Existing machines do not change.',
    ),
  vaultDomain: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'is not a domain; accepted: such as vault.usgovcloudapi.net' })
    .default('vault.azure.net')
    .describe(
      'Domain of the addresses of vaults: vault.usgovcloudapi.net for Azure Government, vault.azure.cn for Azure in China. Existing machines keep what they booted from.',
    ),
  allowInClear: z
    .array(z.string().min(1).max(63))
    .max(32)
    .prefault([])
    .describe(
      'Formats of claims (spec.provisioning.format) whose first-boot data may be in custom data, if Key Vault cannot deliver it. The data contains secrets: join tokens and, for control planes, the keys of the cluster. Machines with another such format are refused.',
    ),
});

export type AzureMachineInput = z.output<typeof AzureMachineInput>;
