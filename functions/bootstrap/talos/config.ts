/** `spec.bootstrap.config` of a claim whose provider is talos, in Talos' own words. */
import { z } from 'zod';
import { anyObject } from '#lib/api/schema/rules.ts';
import { flags, readClaimConfig } from '../claim-config.ts';
import { changesOwned } from './patches.ts';
import { type Release, RELEASES } from './traits.ts';

/** Such as 1.13 runs Kubernetes 1.31 to 1.36. */
const RUNS = Object.entries(RELEASES)
  .map(([release, { oldest, newest }]) => `${release} runs Kubernetes 1.${oldest} to 1.${newest}`)
  .join(', ');

const names = () => z.array(z.string().min(1)).prefault([]);
const component = () => z.strictObject({ extraArgs: flags() }).prefault({});
const url = () => z.string().regex(/^https?:\/\/\S+$/, { error: 'is not accepted; accepted: an http or https URL' });

const patches = () =>
  z
    .array(
      anyObject().refine((patch) => !changesOwned(patch), {
        error: 'changes what the cluster was made with; accepted: fields other than identities, tokens and authorities',
      }),
    )
    .prefault([]);

const Install = z.strictObject({
  disk: z
    .string()
    .regex(/^\/dev\/[A-Za-z0-9/_.:-]+$/, { error: 'is not a disk; accepted: a path such as /dev/sda' })
    .describe('Disk Talos installs itself on.'),
  image: z.string().min(1).optional().describe('Installer image. Left out, that of the Talos which booted.'),
  wipe: z.boolean().default(false).describe('Whether the disk is wiped first.'),
});

const InlineManifest = z.strictObject({
  name: z.string().min(1).max(253).describe('Name of the manifest.'),
  contents: z.string().min(1).max(65_536).describe('Kubernetes objects in YAML.'),
});

export const TalosConfig = z.strictObject({
  talosVersion: z
    .enum(Object.keys(RELEASES) as [Release, ...Release[]])
    .default('1.13')
    .describe(`The Talos minor of the image, which decides the layout of the machine configuration. ${RUNS}.`),
  install: Install.optional().describe('Left out, the image is the installed system, as on clouds.'),
  certSANs: names().describe('Further names and addresses of the Talos API of each machine.'),
  kubelet: z
    .strictObject({
      extraArgs: flags().describe('Flags without their dashes; labels, taints and host name have fields of their own.'),
      extraConfig: anyObject().prefault({}).describe('Fields of KubeletConfiguration.'),
      nodeIP: z
        .strictObject({
          validSubnets: z.array(z.string().min(1)).min(1).describe('Blocks the address is taken from.'),
        })
        .optional()
        .describe('Which address of a machine is its node’s.'),
    })
    .prefault({})
    .describe('kubelet of each machine.'),
  apiServer: z
    .strictObject({
      extraArgs: flags(),
      certSANs: names().describe('Further names of the Kubernetes API; its endpoint is always among them.'),
    })
    .prefault({})
    .describe('kube-apiserver.'),
  controllerManager: component().describe('kube-controller-manager.'),
  scheduler: component().describe('kube-scheduler.'),
  etcd: z
    .strictObject({
      extraArgs: flags(),
      advertisedSubnets: z.array(z.string().min(1)).prefault([]).describe('Blocks its address is taken from.'),
    })
    .prefault({})
    .describe('etcd on the control-plane machines.'),
  proxy: z
    .strictObject({
      disabled: z.boolean().default(false).describe('Whether there is none.'),
      mode: z.enum(['iptables', 'ipvs', 'nftables']).optional().describe('Left out, Talos’ own.'),
      extraArgs: flags(),
    })
    .prefault({})
    .describe('kube-proxy.'),
  coreDNS: z
    .strictObject({ disabled: z.boolean().default(false).describe('Whether there is none.') })
    .prefault({})
    .describe('CoreDNS.'),
  cni: z
    .strictObject({
      name: z.enum(['flannel', 'custom', 'none']).default('flannel').describe('custom: from the URLs.'),
      urls: z.array(url()).prefault([]).describe('Manifests of a custom one.'),
    })
    .refine(({ name, urls }) => (name === 'custom') === urls.length > 0, {
      error: 'does not fit; accepted: urls with name custom, and only then',
    })
    .prefault({})
    .describe('Pod network.'),
  discovery: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether members find each other by it. false does without it.'),
    })
    .prefault({})
    .describe('Talos’ discovery service on the internet, which sees only what is encrypted.'),
  allowSchedulingOnControlPlanes: z
    .boolean()
    .default(false)
    .describe('Whether control planes come without their taint. Taints in a claim take its place, too.'),
  extraManifests: z.array(url()).prefault([]).describe('Manifests that the control plane applies, by URL.'),
  inlineManifests: z.array(InlineManifest).prefault([]).describe('Manifests that the control plane applies.'),
  cloudProvider: z
    .enum(['external', 'none'])
    .optional()
    .describe("Whether nodes wait for a cloud controller manager. Left out, the Composition's."),
  patches: z
    .strictObject({
      all: patches().describe('For every machine.'),
      controlPlane: patches().describe('For control planes, after those for all.'),
      worker: patches().describe('For workers, after those for all.'),
    })
    .prefault({})
    .describe(
      'JSON merge patches in this order: one with a kind for the document of that kind and name, which is added where there is none; one without for the first document. None changes what the cluster was made with.',
    ),
});

export type TalosConfig = z.output<typeof TalosConfig>;

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export const readTalosConfig = (config: unknown, owner: string): TalosConfig =>
  readClaimConfig(TalosConfig, config, owner);

/** What only control planes carry out, and all of them must agree on. */
export const OF_THE_CLUSTER = [
  'allowSchedulingOnControlPlanes',
  'apiServer',
  'cni',
  'controllerManager',
  'coreDNS',
  'discovery',
  'etcd',
  'extraManifests',
  'inlineManifests',
  'proxy',
  'scheduler',
] as const satisfies readonly (keyof TalosConfig)[];
