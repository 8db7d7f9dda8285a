/** `spec.bootstrap.config` of a claim with provider nodeadm: fields of NodeConfig, except those about the cluster. */
import { parse } from 'smol-toml';
import { z } from 'zod';
import { line } from '#lib/api/fields/text.ts';
import { anyObject, secret, withOtherNames } from '#lib/api/schema/rules.ts';
import { OTHER_NAMES } from './other-names.ts';

/** nodeadm writes them to a systemd file, separated by blanks. */
const FLAG = /^--[a-z][a-z0-9-]*(=[^\s"'\\$]*)?$/;

const Kubelet = z.strictObject({
  config: anyObject()
    .prefault({})
    .describe(
      'Fields of KubeletConfiguration, such as maxPods and clusterDNS; passed through, but taints, provider id and domain have fields of their own.',
    ),
  flags: z
    .array(z.string().regex(FLAG, { error: 'is not a flag; accepted: --name=value without blanks, quotes, \\ and $' }))
    .prefault([])
    .describe('Flags of the kubelet, with their dashes; labels, taints and names have fields of their own.'),
  maxPodsExpression: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'CEL expression for the maximum number of pods, with the variables default_enis, ips_per_eni and max_pods.',
    ),
});

const Containerd = z.strictObject({
  config: secret(z.string().min(1).max(16_384))
    .refine(isToml, { error: 'is not TOML; accepted: configuration of containerd' })
    .optional()
    .describe('TOML that is merged into the containerd configuration of nodeadm.'),
  baseRuntimeSpec: anyObject().optional().describe('Partial OCI runtime specification used for every container.'),
});

const environment = z
  .record(
    z.string().regex(/^[A-Za-z0-9:_.@-]+$/, { error: 'is not a service; accepted: default, or the name of a service' }),
    z.record(
      z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'is not a variable name; accepted: letters, digits and _' }),
      secret(line().max(4096)),
    ),
  )
  .optional()
  .describe('Environment variables by service name; the entry default applies to all services.');

const Instance = z.strictObject({
  localStorage: z
    .strictObject({
      strategy: z.enum(['RAID0', 'RAID10', 'Mount']).describe('How the instance disks are combined.'),
      mountPath: z.string().startsWith('/').max(253).optional().describe('Mount path. Default: chosen by nodeadm.'),
      disabledMounts: z
        .array(z.enum(['Containerd', 'PodLogs', 'SOCI']))
        .optional()
        .describe('What is kept on the root disk.'),
    })
    .optional()
    .describe('Instance disks. If not set, they are not touched.'),
  environment,
  network: z
    .strictObject({
      nameservers: z.array(z.string().min(1).max(45)).optional().describe('Addresses of name servers.'),
      domains: z.array(z.string().min(1).max(253)).optional().describe('Search domains.'),
    })
    .optional()
    .describe('How the host resolves names.'),
});

export const NodeadmConfig = withOtherNames(
  z.strictObject({
    kubelet: Kubelet.prefault({}).describe('Settings of the kubelet, merged over those of nodeadm.'),
    containerd: Containerd.optional().describe('Settings of containerd, merged over those of nodeadm.'),
    instance: Instance.optional().describe('Operating system and disks.'),
    featureGates: z
      .strictObject({
        InstanceIdNodeName: z.boolean().optional().describe('Whether Nodes are named after the id of their instance.'),
        FastImagePull: z.boolean().optional().describe('Whether image layers are pulled in parallel.'),
      })
      .optional()
      .describe('Features of nodeadm itself.'),
  }),
  OTHER_NAMES,
);

export type NodeadmConfig = z.output<typeof NodeadmConfig>;

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
