/** What a host has besides files and users: units, disks, names, kernel arguments, and how it reaches the world. */
import { z } from 'zod';
import { onAdmission, secret, withRule } from '../schema/rules.ts';
import { COVERED, RULE } from './host-rules.ts';
import { account, place } from './text.ts';
import { notBoth, oneOfBoth, ValueFrom } from './value-from.ts';

const device = () =>
  z
    .string()
    .max(253)
    .regex(/^\/dev\/[A-Za-z0-9/_.:-]+$/, { error: 'is not a device; accepted: a path such as /dev/nvme1n1' });

/** Of machine.dataDisks. */
const DATA_DISK = /^DATADISK=(.+)$/;

/** The name of the data disk that a device is; undefined: it is none by its name. */
export function dataDiskIn(device: string): string | undefined {
  return DATA_DISK.exec(device)?.[1];
}

export const Group = z.strictObject({
  name: account(
    z
      .string()
      .max(32)
      .regex(/^[a-z_][a-z0-9_-]*$/, {
        error: 'is not a group name; accepted: lower-case letters, digits, _ and -, not beginning with a digit or -',
      }),
  ).describe('Name of the group.'),
  gid: z.int().min(1).max(65_533).optional().describe('Group id. Default: chosen by the host.'),
});

const DropInFields = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9._-]+\.conf$/, { error: 'is not a drop-in; accepted: a file name that ends with .conf' })
    .describe('File name of the drop-in.'),
  contents: secret(z.string().min(1).max(16_384)).optional().describe('Contents of the drop-in.'),
  contentsFrom: ValueFrom.optional().describe('The same from a Secret.'),
});

const DropIn = oneOfBoth(DropInFields, 'contents');

export const unitName = () =>
  z.string().regex(/^[A-Za-z0-9:_.@-]+\.(service|mount|swap|timer|path|socket|slice|target)$/, {
    error: 'is not a systemd unit; accepted: a name such as node-exporter.service',
  });

const UnitFields = z.strictObject({
  name: unitName().max(128).describe('Name of the systemd unit.'),
  contents: secret(z.string().min(1).max(16_384))
    .optional()
    .describe('Contents of the unit. If not set, the image has the unit.'),
  contentsFrom: ValueFrom.optional().describe('The same from a Secret.'),
  enabled: z.boolean().default(false).describe('Whether it is started now and at every boot.'),
  dropIns: z.array(DropIn).max(16).prefault([]).describe('Drop-ins of the unit.'),
});

export const Unit = notBoth(UnitFields, 'contents');

const Partition = z.strictObject({
  label: z
    .string()
    .max(36)
    .regex(/^[A-Za-z0-9._-]+$/, { error: 'is not a label; accepted: letters, digits, ., _ and -' })
    .optional()
    .describe('Name of the partition.'),
  sizeMiB: z
    .int()
    .min(1)
    .max(67_108_864)
    .optional()
    .describe('Size of the partition. If not set, the rest of the disk; allowed only for the last partition.'),
});

export const Disk = z.strictObject({
  device: device().describe('The disk.'),
  wipe: z.boolean().default(false).describe('Whether an existing partition table is overwritten.'),
  partitions: z.array(Partition).min(1).max(16).describe('Partitions in order, in a GPT partition table.'),
});

export const Filesystem = z.strictObject({
  device: z
    .string()
    .max(253)
    .regex(/^(\/dev\/[A-Za-z0-9/_.:-]+|DATADISK=[a-z]([-a-z0-9]*[a-z0-9])?)$/, {
      error: 'is not a device; accepted: a path such as /dev/nvme1n1p1, or DATADISK=name of machine.dataDisks',
    })
    .describe(
      'The partition, or the disk; of a disk in disks, its only partition. DATADISK=name: the disk of machine.dataDisks, once it is attached; machines without it leave it out.',
    ),
  format: z.enum(['ext4', 'xfs', 'btrfs', 'vfat']).default('ext4').describe('Kind of the filesystem.'),
  label: z
    .string()
    .max(16)
    .regex(/^[A-Za-z0-9._-]+$/, { error: 'is not a label; accepted: letters, digits, ., _ and -' })
    .optional()
    .describe('Name of the filesystem: up to 11 characters with vfat, 12 with xfs.'),
  options: z
    .array(
      z
        .string()
        .max(256)
        .regex(/^[A-Za-z0-9_./:=@+,^-]+$/, {
          error: 'is not an option of mkfs; accepted: a word such as -E or lazy_itable_init=1',
        }),
    )
    .max(32)
    .optional()
    .describe('Options of the program that makes it, one word each, such as -i and 8192.'),
  wipe: z.boolean().default(false).describe('Whether an existing filesystem is overwritten.'),
});

export const Mount = z.strictObject({
  device: z
    .string()
    .max(253)
    .regex(/^(\/dev\/[A-Za-z0-9/_.:-]+|(LABEL|UUID|PARTLABEL|PARTUUID|DATADISK)=[A-Za-z0-9._-]+)$/, {
      error:
        'is not a device; accepted: a path such as /dev/nvme1n1p1, LABEL=name, or DATADISK=name of machine.dataDisks',
    })
    .describe('What to mount: a device, LABEL=name, or DATADISK=name, whose filesystem is in filesystems.'),
  path: onAdmission(place('/var/lib/data'), {
    cel: `!(self in [${COVERED.map((path) => `'${path}'`).join(', ')}])`,
    message: RULE.mount,
  }).describe('Where.'),
  format: z.enum(['ext4', 'xfs', 'btrfs', 'vfat', 'auto']).default('auto').describe('Kind of the filesystem.'),
  options: z
    .array(
      z
        .string()
        .max(128)
        .regex(/^[A-Za-z0-9_./:=@+-]+$/, { error: 'is not a mount option; accepted: a word such as noatime' }),
    )
    .min(1)
    .max(16)
    .prefault(['defaults'])
    .describe('Options of the mount.'),
});

export const Swap = z.strictObject({
  path: place('/swapfile').describe('The swap file.'),
  sizeMiB: z.int().min(1).max(1_048_576).describe('Size of the swap file.'),
});

export const Host = z.strictObject({
  address: z
    .string()
    .max(45)
    .regex(/^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*)$/, {
      error: 'is not an address; accepted: IPv4 or IPv6 such as 10.0.0.9',
    })
    .describe('IP address.'),
  names: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^[A-Za-z0-9._-]+$/, { error: 'is not a host name; accepted: letters, digits, ., _ and -' }),
    )
    .min(1)
    .max(16)
    .describe('Host names of the address.'),
});

const url = (example: string) =>
  z
    .string()
    .max(2048)
    .regex(/^https?:\/\/[^\s"'\\$`]+$/, {
      error: `is not accepted; accepted: an http or https URL such as ${example}`,
    });

const PROXY = 'http://proxy.example.com:3128';

const ProxyFields = z.strictObject({
  http: secret(url(PROXY)).optional().describe('Proxy for http.'),
  httpFrom: ValueFrom.optional().describe('Proxy for http, from a Secret: its URL may contain a user and a password.'),
  https: secret(url(PROXY)).optional().describe('Proxy for https.'),
  httpsFrom: ValueFrom.optional().describe('Proxy for https, from a Secret.'),
  none: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^[A-Za-z0-9.:/*_-]+$/, { error: 'is not a host; accepted: a name, address or block' }),
    )
    .max(64)
    .prefault([])
    .describe(
      'Hosts, domains and network blocks that are reached without the proxy, in addition to those the cluster needs.',
    ),
});

export const Proxy = notBoth(notBoth(ProxyFields, 'http'), 'https');

const RegistryFields = z.strictObject({
  host: z
    .string()
    .max(253)
    .regex(/^[a-z0-9.-]+(:[0-9]+)?$/, { error: 'is not a registry; accepted: a host such as docker.io' })
    .describe('Registry to mirror, as in image names.'),
  mirrors: z
    .array(url('https://mirror.example.com'))
    .min(1)
    .max(8)
    .describe('Mirrors to pull images from, in order; the registry itself is tried last.'),
  caCertificate: z.string().min(1).max(16_384).optional().describe('CA certificate of the mirrors, in PEM.'),
  credentialsFrom: ValueFrom.optional().describe(
    'User and password for the mirrors, from a Secret, as user:password. Every mirror of this entry must then be an https URL.',
  ),
});

export const Registry = withRule(RegistryFields, {
  cel: "!has(self.credentialsFrom) || self.mirrors.all(mirror, mirror.startsWith('https://'))",
  holds: ({ credentialsFrom, mirrors }) =>
    credentialsFrom === undefined || mirrors.every((mirror) => mirror.startsWith('https://')),
  field: ['mirrors'],
  message: 'must be https URLs with credentialsFrom, because a password is sent to them',
});

export type Group = z.output<typeof Group>;
export type Unit = z.output<typeof Unit>;
export type DropIn = z.output<typeof DropIn>;
export type Disk = z.output<typeof Disk>;
export type Filesystem = z.output<typeof Filesystem>;
export type Mount = z.output<typeof Mount>;
export type Proxy = z.output<typeof Proxy>;
export type Registry = z.output<typeof Registry>;
