/**
 * Contract "bootstrap plan", version 1: how a host becomes a node, independent of the first-boot format. The bootstrap
 * step writes it under CONTEXT.bootstrapPlan; the provisioning step renders it. A tagged union: `scripted` for hosts
 * that run files and commands, the others for operating systems with their own configuration format. The plan contains
 * secrets (CA keys, tokens); it is only in the pipeline context and never stored.
 */
import { z } from 'zod';
import { unitName } from '../fields/host.ts';
import { owner } from '../fields/provisioning.ts';
import { line, path, word } from '../fields/text.ts';
import { anyObject, secret } from '../schema/rules.ts';
import { MetadataService } from './metadata-service.ts';

export const PlanFile = z.strictObject({
  path: path().describe(
    'Absolute path outside /run, /tmp, /proc, /sys and /dev, which may not survive the first boot.',
  ),
  content: secret(z.base64()).describe(
    'The bytes in base64, so that binary content, line ends and missing final newlines stay as they are.',
  ),
  mode: z
    .string()
    .regex(/^0[0-7]{3}$/)
    .describe('Four octal digits such as 0600.'),
  owner: owner().default('root:root').describe('user:group.'),
  append: z.boolean().default(false).describe('Whether the content is appended to an existing file.'),
  instanceVariables: z
    .boolean()
    .default(false)
    .describe(
      'Whether ${instanceId} and ${failureDomain} in the content are placeholders for values of the cloud. The provisioner replaces them at boot, before any command runs.',
    ),
});

export const PlanUnit = z.strictObject({
  name: unitName().describe('Name of a systemd unit.'),
  contents: secret(z.string()).optional().describe('Contents of the unit. If not set, the image has the unit.'),
  enabled: z.boolean().default(false).describe('Whether it is started now and at every boot.'),
});

const command = secret(z.string().min(1));

export const PlanCommands = z.strictObject({
  pre: z.array(command).default([]).describe('Commands before the bootstrap.'),
  bootstrap: z.array(command).min(1).describe('Commands that make the host a node.'),
  post: z.array(command).default([]).describe('Commands after the bootstrap, when the files to remove are deleted.'),
});

/** Fields every plan has. */
const common = {
  contract: z.literal(1).describe('Version of this contract.'),
  provider: line().min(1).describe('Bootstrap provider that created the plan, for messages, such as kubeadm.'),
  nodeName: word().max(63).describe("The node's name and host name."),
};

const carries = z
  .array(z.enum(['registries']))
  .optional()
  .describe('Fields of the claim’s provisioning that the plan implements itself; the provisioner ignores them.');

const noProxy = z
  .array(word())
  .optional()
  .describe('Hosts, domains and network blocks of the cluster that its machines reach without the proxy of the claim.');

/** Operating systems of hosts that run commands. */
export const HostOs = z.enum(['linux', 'windows']);

/** Features that hosts of some provisioners do not have. */
export const PlanNeed = z.enum(['snapd']);

const DataDiskPlace = z.strictObject({
  name: word().max(20).describe('Name of the disk in the claim.'),
  links: z
    .array(z.string().regex(/^\/dev\/[A-Za-z0-9/_.:-]+$/))
    .describe('Links to the disk on hosts of the cloud, the first of which that is there is used.'),
  model: z
    .string()
    .regex(/^[A-Za-z0-9 ]+$/)
    .optional()
    .describe('Model of such disks: without a link, an empty disk of this model and of the size of the claim is used.'),
});

const dataDisks = z
  .array(DataDiskPlace)
  .optional()
  .describe(
    'Where hosts of the cloud find the data disks of the machine. One that is not listed is the smallest empty disk that is large enough.',
  );

export const ScriptedPlan = z.strictObject({
  ...common,
  kind: z.literal('scripted').describe('A host that runs files and commands.'),
  os: HostOs.optional().describe(
    'Default: linux, with commands for a POSIX shell. windows: commands are PowerShell, and paths are on drive C.',
  ),
  needs: z
    .array(PlanNeed)
    .optional()
    .describe(
      'What the plan needs on the host besides a shell and systemd. A provisioner whose hosts never have it refuses the plan.',
    ),
  files: z.array(PlanFile).describe('Files, written before any command runs.'),
  units: z.array(PlanUnit).default([]).describe('systemd units, written and enabled before any command runs.'),
  commands: PlanCommands.describe('Shell commands, each run only after all earlier ones succeeded.'),
  sentinel: path().describe(
    'File that is written last, only after every command succeeded. While it exists, nothing runs again.',
  ),
  removeAfterBootstrap: z
    .array(path())
    .default([])
    .describe('Files to remove once the bootstrap commands succeeded, because they contain join secrets.'),
  metadataService: MetadataService.optional().describe(
    'Metadata service for ${instanceId} and ${failureDomain} on hosts that have no other source: status.infrastructure.metadataService of the Cluster.',
  ),
  dataDisks,
  carries,
  noProxy,
});

export const TalosPlan = z.strictObject({
  ...common,
  kind: z.literal('talos').describe('Talos Linux: its machine configuration is the whole first boot.'),
  release: z
    .string()
    .regex(/^1\.[0-9]+$/)
    .describe('Talos minor version of the documents, such as 1.13.'),
  documents: secret(z.array(anyObject()).min(1)).describe(
    'Documents of the machine configuration, in order; the first is the one with version: v1alpha1.',
  ),
  noProxy,
});

export const NodeadmPlan = z.strictObject({
  ...common,
  kind: z.literal('nodeadm').describe("Amazon's own EKS nodes."),
  config: secret(anyObject()).describe('The whole NodeConfig, node.eks.aws/v1alpha1.'),
  files: z.array(PlanFile).default([]).describe('Files, written before the kubelet is started.'),
  dataDisks,
  carries,
  noProxy,
});

export const BottlerocketPlan = z.strictObject({
  ...common,
  kind: z.literal('bottlerocket').describe('Bottlerocket.'),
  settings: secret(anyObject()).describe('Bottlerocket settings: the content of the settings table of its TOML.'),
  noProxy,
});

export const BootstrapPlan = z.discriminatedUnion('kind', [ScriptedPlan, TalosPlan, NodeadmPlan, BottlerocketPlan]);

export type BootstrapPlan = z.output<typeof BootstrapPlan>;
export type HostOs = z.output<typeof HostOs>;
export type PlanNeed = z.output<typeof PlanNeed>;
export type PlanKind = BootstrapPlan['kind'];
export type ScriptedPlan = z.output<typeof ScriptedPlan>;
export type TalosPlan = z.output<typeof TalosPlan>;
export type NodeadmPlan = z.output<typeof NodeadmPlan>;
export type BottlerocketPlan = z.output<typeof BottlerocketPlan>;
export type PlanFile = z.output<typeof PlanFile>;
export type DataDiskPlace = z.output<typeof DataDiskPlace>;
export type PlanUnit = z.output<typeof PlanUnit>;
