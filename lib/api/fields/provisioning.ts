/** First-boot settings besides the bootstrap, independent of the format. */
import { z } from 'zod';
import { anyObject, onAdmission, secret, withRule } from '../schema/rules.ts';
import { HASH, RULE } from './host-rules.ts';
import { Disk, Filesystem, Group, Host, Mount, Proxy, Registry, Swap, Unit } from './host.ts';
import { account, line, path, place, word } from './text.ts';
import { notBoth, oneOfBoth, ValueFrom } from './value-from.ts';

const mode = z
  .string()
  .regex(/^[0-7]{4}$/, { error: 'is not a file mode; accepted: four octal digits in quotes such as "0644"' });

/** As in /etc/passwd, whose lines are divided by colons. */
const field = () => z.string().regex(/^[^\p{Cc}:]+$/u, { error: 'is not accepted; accepted: one line without colons' });

export const owner = () =>
  z.string().regex(/^[^\p{Cc} :-][^\p{Cc} :]*(:[^\p{Cc} :]+)?$/u, {
    error: 'is not an owner; accepted: user:group',
  });

const FileFields = z.strictObject({
  path: onAdmission(path(), {
    cel: "!self.endsWith('/') && !self.startsWith('/var/run/') && !self.startsWith('/var/lib/slipway/')",
    message: RULE.file,
  }).describe(
    'Path of the file. Paths below /run, /tmp, /proc, /sys and /dev are refused, because they may not survive the first boot.',
  ),
  content: secret(z.string().max(65_536)).optional().describe('The content, as text or in the given encoding.'),
  contentFrom: ValueFrom.optional().describe('The content, byte by byte, from a Secret.'),
  encoding: z
    .enum(['plain', 'base64', 'gzip+base64'])
    .default('plain')
    .describe('Encoding of content: gzip+base64 is packed, and base64 outside. For contentFrom: plain.'),
  mode: mode.default('0644').describe('Four octal digits; the first one is for setuid (4), setgid (2) and sticky (1).'),
  owner: owner().max(65).default('root:root').describe('user:group.'),
  append: z.boolean().default(false).describe('Append to the file instead of replacing it.'),
});

export const File = withRule(oneOfBoth(FileFields, 'content'), {
  cel: "!has(self.contentFrom) || self.encoding == 'plain'",
  holds: ({ contentFrom, encoding }) => contentFrom === undefined || encoding === 'plain',
  field: ['encoding'],
  message: 'must be plain with contentFrom, which is taken byte by byte',
});

/** A line end after it is no other line. */
const publicKey = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^\P{Cc}+\n?$/u, { error: 'is not a public key; accepted: one line of authorized_keys' });

const groupName = () =>
  z
    .string()
    .max(32)
    .regex(/^[^\p{Cc} ,:-][^\p{Cc},:]*$/u, {
      error: 'is not a group name; accepted: one without comma, colon or line end',
    });

const UserFields = z.strictObject({
  name: account(
    z
      .string()
      .min(1)
      .max(32)
      .regex(/^[a-z_][a-z0-9_-]*$/, {
        error: 'is not a user name; accepted: lower-case letters, digits, _ and -, not beginning with a digit or -',
      }),
  ).describe('Login name.'),
  gecos: field().max(256).optional().describe('Full name or comment.'),
  groups: z.array(groupName()).max(32).prefault([]).describe('Additional groups.'),
  shell: onAdmission(field().max(256), { cel: "self.startsWith('/')", message: RULE.shell })
    .optional()
    .describe('Login shell.'),
  sudo: onAdmission(line().min(1).max(256), { cel: "self.contains('=')", message: RULE.sudo })
    .optional()
    .describe('A sudoers rule such as ALL=(ALL) NOPASSWD:ALL.'),
  sshAuthorizedKeys: z.array(publicKey).max(64).prefault([]).describe('Public keys that may log in.'),
  passwordHash: secret(
    onAdmission(field().max(256), { cel: `self.matches('${HASH.replaceAll('\\', '\\\\')}')`, message: RULE.hash }),
  )
    .optional()
    .describe('A crypt(3) hash, never a password. If not set, password login is locked.'),
  passwordHashFrom: ValueFrom.optional().describe('The same from a Secret.'),
  lockPassword: z
    .boolean()
    .optional()
    .describe('Whether password login is locked. Default: true without a hash, false with one.'),
  uid: z.int().min(1).max(65_533).optional().describe('User id. Default: chosen by the host.'),
  primaryGroup: groupName()
    .optional()
    .describe('Group that files of the user belong to, of the image or in groups. Default: one of its own name.'),
  homeDir: place('/home/app').optional().describe('Home directory. Default: below /home.'),
  system: z.boolean().optional().describe('Whether it is an account of a service, which gets no home directory.'),
  expires: z
    .string()
    .max(10)
    .regex(/^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/, {
      error: 'is not a day; accepted: one such as 2027-12-31',
    })
    .optional()
    .describe('First day on which nobody can log in as this user any more, such as 2027-12-31.'),
});

export const User = notBoth(UserFields, 'passwordHash');

const command = secret(z.string().min(1).max(16_384));

export const Commands = z.strictObject({
  pre: z
    .array(command)
    .max(64)
    .prefault([])
    .describe('Shell commands before the host becomes a node. The first that fails stops the rest.'),
  preFrom: z
    .array(ValueFrom)
    .max(64)
    .optional()
    .describe('Shell commands from Secrets, run after those of pre. The value of a key is one command, or a script.'),
  post: z.array(command).max(64).prefault([]).describe('Shell commands after the host became a node.'),
  postFrom: z.array(ValueFrom).max(64).optional().describe('Shell commands from Secrets, run after those of post.'),
});

const timezone = z.string().regex(/^[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*$/, {
  error: 'is not accepted; accepted: a name such as Europe/Zurich',
});

const sysctl = z.string().regex(/^[A-Za-z0-9_*-][A-Za-z0-9_.:/@*+-]*$/, {
  error: 'is not a kernel parameter; accepted: a name such as net.ipv4.ip_forward',
});

/** Some have several numbers, divided by tabs. */
const sysctlValue = z.string().regex(/^(\P{Cc}|\t)*$/u, { error: 'is not accepted; accepted: text on one line' });

const kernelModule = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_-]*$/, {
  error: 'is not a kernel module; accepted: a name such as br_netfilter',
});

/** The customisation of a node, independent of the format. */
export const customisation = {
  files: z.array(File).max(128).prefault([]).describe('Files to write before any command runs.'),
  users: z.array(User).max(64).prefault([]).describe('Users to create in addition to the default user of the image.'),
  groups: z.array(Group).max(64).prefault([]).describe('Groups to create before the users.'),
  commands: Commands.prefault({}).describe('Shell commands before and after the bootstrap.'),
  packages: z
    .array(word().max(128))
    .max(128)
    .prefault([])
    .describe('Distribution packages to install before the host becomes a node.'),
  ntp: z
    .strictObject({ servers: z.array(word().max(253)).min(1).max(16).describe('Time servers.') })
    .optional()
    .describe('Time synchronisation.'),
  timezone: timezone.max(64).optional().describe('Time zone such as Europe/Zurich.'),
  sysctls: z
    .record(sysctl.max(253), sysctlValue.max(1024))
    .prefault({})
    .describe('Kernel parameters, applied at first boot and kept across reboots.'),
  kernelModules: z.array(kernelModule.max(64)).max(64).prefault([]).describe('Kernel modules to load at every boot.'),
  caCertificates: z
    .array(
      onAdmission(z.string().min(1).max(16_384), {
        cel: "self.contains('-----BEGIN CERTIFICATE-----') && !self.contains('PRIVATE KEY-----')",
        message: RULE.certificate,
      }),
    )
    .max(32)
    .prefault([])
    .describe('CA certificates in PEM to add to the trust store of the host.'),
  units: z.array(Unit).max(64).prefault([]).describe('systemd units, written before any command runs.'),
  disks: z.array(Disk).max(16).prefault([]).describe('Disks to partition.'),
  filesystems: z.array(Filesystem).max(32).prefault([]).describe('Filesystems to make.'),
  mounts: z.array(Mount).max(32).prefault([]).describe('What to mount at every boot.'),
  swap: Swap.optional().describe(
    'A swap file. Default: none. The kubelet does not start with swap unless it is configured to.',
  ),
  hosts: z.array(Host).max(64).prefault([]).describe('Additional entries of /etc/hosts.'),
  kernelArguments: z
    .array(
      z
        .string()
        .max(256)
        .regex(/^[!-&(-~]+$/, { error: 'is not a kernel argument; accepted: a word such as hugepages=512' }),
    )
    .max(32)
    .prefault([])
    .describe('Kernel arguments. The host reboots if they are not active yet.'),
  proxy: Proxy.optional().describe('Proxy of the host and its container runtime.'),
  registries: z.array(Registry).max(32).prefault([]).describe('Mirrors of image registries.'),
  raw: z
    .record(z.string().min(1).max(63), anyObject())
    .prefault({})
    .describe('Additional top-level fields for one format, by format. A field that Slipway already writes is refused.'),
};

const format = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, {
    error: 'is not a provisioning format; accepted: a lower-case word such as cloud-init',
  })
  .describe(
    'Format of the first-boot data: cloud-init, or another one that the provisioning step of the Composition supports.',
  );

/** The choice of a Cluster and, copied, of a Machine. */
export const Provisioning = z.strictObject({
  format: format.default('cloud-init').describe(format.description ?? ''),
  ...customisation,
});

/** Additions of a pool: its lists are appended to those of the Cluster, its values override. */
export const PoolProvisioning = z.strictObject({
  format: format.optional().describe('Default: the format of the Cluster.'),
  ...customisation,
});

export type Provisioning = z.output<typeof Provisioning>;
/** The fields of the customisation, without the format, as the claim has them. */
export type Claimed = Omit<Provisioning, 'format'>;

export type PoolProvisioning = z.output<typeof PoolProvisioning>;
export type File = z.output<typeof File>;
export type User = z.output<typeof User>;
