/** `spec.bootstrap.config` of a claim with provider talos, with the names of Talos. */
import { z } from 'zod';
import { anyObject, withOtherNames } from '#lib/api/schema/rules.ts';
import { flags, readClaimConfig } from '../claim-config.ts';
import { OTHER_NAMES } from './other-names.ts';
import { changesOwned } from './patches.ts';
import { type Release, RELEASES, USUAL_RELEASE } from './traits.ts';

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
        error: 'changes an identity, token or certificate authority of the cluster; accepted: other fields',
      }),
    )
    .prefault([]);

const Install = z.strictObject({
  disk: z
    .string()
    .regex(/^\/dev\/[A-Za-z0-9/_.:-]+$/, { error: 'is not a disk; accepted: a path such as /dev/sda' })
    .describe('Disk that Talos is installed on.'),
  image: z.string().min(1).optional().describe('Installer image. Default: that of the Talos version that booted.'),
  wipe: z.boolean().default(false).describe('Whether the disk is wiped first.'),
});

const InlineManifest = z.strictObject({
  name: z.string().min(1).max(253).describe('Name of the manifest.'),
  contents: z.string().min(1).max(65_536).describe('Kubernetes objects in YAML.'),
});

export const TalosConfig = withOtherNames(
  z.strictObject({
    talosVersion: z
      .enum(Object.keys(RELEASES) as [Release, ...Release[]])
      .default(USUAL_RELEASE)
      .describe(`Talos minor version of the image, which decides the layout of the machine configuration. ${RUNS}.`),
    install: Install.optional().describe(
      'Installation to a disk. If not set, the image already is the installed system, as on clouds.',
    ),
    certSANs: names().describe('Additional names and addresses of the Talos API of each machine.'),
    kubelet: z
      .strictObject({
        extraArgs: flags().describe(
          'Flags without their dashes; labels, taints and host name have fields of their own.',
        ),
        extraConfig: anyObject().prefault({}).describe('Fields of KubeletConfiguration.'),
        nodeIP: z
          .strictObject({ validSubnets: z.array(z.string().min(1)).min(1).describe('Network blocks of the address.') })
          .optional()
          .describe('Which address of a machine its Node uses.'),
      })
      .prefault({})
      .describe('kubelet of each machine.'),
    apiServer: z
      .strictObject({
        extraArgs: flags(),
        certSANs: names().describe('Additional names of the Kubernetes API; its endpoint is always included.'),
      })
      .prefault({})
      .describe('kube-apiserver.'),
    controllerManager: component().describe('kube-controller-manager.'),
    scheduler: component().describe('kube-scheduler.'),
    etcd: z
      .strictObject({
        extraArgs: flags(),
        advertisedSubnets: z.array(z.string().min(1)).prefault([]).describe('Network blocks of the address of etcd.'),
      })
      .prefault({})
      .describe('etcd on the control-plane machines.'),
    proxy: z
      .strictObject({
        disabled: z.boolean().default(false).describe('Disables kube-proxy.'),
        mode: z
          .enum(['iptables', 'ipvs', 'nftables'])
          .optional()
          .describe('Mode of kube-proxy. Default: chosen by Talos.'),
        extraArgs: flags(),
      })
      .prefault({})
      .describe('kube-proxy.'),
    coreDNS: z
      .strictObject({ disabled: z.boolean().default(false).describe('Disables CoreDNS.') })
      .prefault({})
      .describe('CoreDNS.'),
    cni: z
      .strictObject({
        name: z
          .enum(['flannel', 'custom', 'none'])
          .default('flannel')
          .describe('Name of the pod network. custom: manifests from urls.'),
        urls: z.array(url()).prefault([]).describe('Manifests of a custom pod network.'),
      })
      .refine(({ name, urls }) => (name === 'custom') === urls.length > 0, {
        error: 'does not fit; accepted: urls with name custom, and only then',
      })
      .prefault({})
      .describe('Pod network.'),
    discovery: z
      .strictObject({
        enabled: z.boolean().default(true).describe('Whether members find each other with the discovery service.'),
      })
      .prefault({})
      .describe('Discovery service of Talos on the internet, which only sees encrypted data.'),
    allowSchedulingOnControlPlanes: z
      .boolean()
      .default(false)
      .describe(
        'Whether control-plane nodes accept ordinary pods. Taints in the claim also replace their default taint.',
      ),
    extraManifests: z.array(url()).prefault([]).describe('Manifests that the control plane applies, by URL.'),
    inlineManifests: z.array(InlineManifest).prefault([]).describe('Manifests that the control plane applies.'),
    cloudProvider: z
      .enum(['external', 'none'])
      .optional()
      .describe('Whether nodes wait for a cloud controller manager. Default: set by the Composition.'),
    patches: z
      .strictObject({
        all: patches().describe('For every machine.'),
        controlPlane: patches().describe('For control planes, after those for all.'),
        worker: patches().describe('For workers, after those for all.'),
      })
      .prefault({})
      .describe(
        'JSON merge patches, applied in order. A patch with a kind changes the document of that kind and name, or adds it. A patch without a kind changes the first document. Patches cannot change what the cluster was created with.',
      ),
  }),
  OTHER_NAMES,
);

export type TalosConfig = z.output<typeof TalosConfig>;

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export const readTalosConfig = (config: unknown, owner: string): TalosConfig =>
  readClaimConfig(TalosConfig, config, owner);

/** Settings that only control planes use, and that must be the same on all of them. */
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
