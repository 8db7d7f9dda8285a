/** `spec.bootstrap.config` of a claim whose provider is nodeadm: what NodeConfig has besides the cluster, in its own words. */
import { parse } from 'smol-toml';
import { z } from 'zod';
import { anyObject, secret } from '#lib/api/schema/rules.ts';

/** nodeadm hands them over in a file of systemd's, parted by blanks. */
const FLAG = /^--[a-z][a-z0-9-]*(=[^\s"'\\$]*)?$/;

const Kubelet = z.strictObject({
  config: anyObject()
    .prefault({})
    .describe(
      'Fields of KubeletConfiguration, such as maxPods and clusterDNS; passed through, but taints, provider id and domain have fields of their own.',
    ),
  flags: z
    .array(z.string().regex(FLAG, { error: 'is no flag; accepted: --name=value without blanks, quotes, \\ and $' }))
    .prefault([])
    .describe('Flags of the kubelet, with their dashes; labels, taints and names have fields of their own.'),
  maxPodsExpression: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('CEL over default_enis, ips_per_eni and max_pods that says how many pods fit.'),
});

const Containerd = z.strictObject({
  config: secret(z.string().min(1).max(16_384))
    .refine(isToml, { error: 'is not TOML; accepted: configuration of containerd' })
    .optional()
    .describe("TOML that is merged into nodeadm's own configuration of containerd."),
  baseRuntimeSpec: anyObject()
    .optional()
    .describe('Part of an OCI runtime specification that every container begins with.'),
});

const environment = z
  .record(
    z.string().regex(/^[A-Za-z0-9:_.@-]+$/, { error: 'is no service; accepted: default, or the name of a service' }),
    z.record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'is no variable; accepted: letters, digits and _' }),
      secret(z.string().max(4096)),
    ),
  )
  .optional()
  .describe('Environment variables by the service they are for; default: of all.');

const Instance = z.strictObject({
  localStorage: z
    .strictObject({
      strategy: z.enum(['RAID0', 'RAID10', 'Mount']).describe('How the disks of the instance become one.'),
      mountPath: z.string().startsWith('/').max(253).optional().describe("Left out, nodeadm's own."),
      disabledMounts: z
        .array(z.enum(['Containerd', 'PodLogs', 'SOCI']))
        .optional()
        .describe('What stays on the root disk.'),
    })
    .optional()
    .describe('Disks that belong to the instance. Left out, they are left alone.'),
  environment,
  network: z
    .strictObject({
      nameservers: z.array(z.string().min(1).max(45)).optional().describe('Addresses of name servers.'),
      domains: z.array(z.string().min(1).max(253)).optional().describe('Domains that names are looked up in.'),
    })
    .optional()
    .describe('How the host resolves names.'),
});

export const NodeadmConfig = z.strictObject({
  kubelet: Kubelet.prefault({}).describe('The kubelet, over what nodeadm sets.'),
  containerd: Containerd.optional().describe('containerd, over what nodeadm sets.'),
  instance: Instance.optional().describe('Operating system and disks.'),
  featureGates: z
    .strictObject({
      InstanceIdNodeName: z.boolean().optional().describe('Whether Nodes are named by the id of their instance.'),
      FastImagePull: z.boolean().optional().describe('Whether layers of images are pulled side by side.'),
    })
    .optional()
    .describe('Features of nodeadm itself.'),
});

export type NodeadmConfig = z.output<typeof NodeadmConfig>;

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
