/**
 * `spec.bootstrap.config` of a claim with provider k0s: the spec of its ClusterConfig and its flags, with the same
 * names.
 */
import { z } from 'zod';
import { anyObject, withOtherNames } from '#lib/api/schema/rules.ts';
import { type Flags, flags, readClaimConfig } from '../claim-config.ts';
import { OTHER_NAMES } from './other-names.ts';

const component = () => z.strictObject({ extraArgs: flags() }).prefault({});

/** k0s passes all kubelet flags in one word of the command line of its service, which systemd parses, too. */
const fitsOneWord = (extraArgs: Flags): boolean =>
  Object.values(extraArgs).every((value) => /^([^\s"'\\$%]|\$\{SLIPWAY_[A-Z_]+\})*$/.test(value));

const hasNoOthers = ({
  provider,
  ...settings
}: {
  readonly provider: string;
  kuberouter?: unknown;
  calico?: unknown;
}) => (['kuberouter', 'calico'] as const).every((other) => other === provider || settings[other] === undefined);

const url = z.string().regex(/^https:\/\/[^\s"'\\$`]+[^\s"'\\$`/]$/, {
  error: 'is not accepted; accepted: an https URL without a slash at its end',
});

const checksum = z.string().regex(/^[0-9a-f]{64}$/, { error: 'is not accepted; accepted: 64 hexadecimal digits' });

const componentName = z
  .string()
  .regex(/^[a-z0-9-]+$/, { error: 'is not accepted; accepted: a name such as metrics-server' });

export const K0sConfig = withOtherNames(
  z.strictObject({
    api: z
      .strictObject({
        sans: z
          .array(z.string().min(1))
          .prefault([])
          .describe('Additional names and addresses of the Kubernetes API; its endpoint is always included.'),
        extraArgs: flags(),
      })
      .prefault({})
      .describe('kube-apiserver.'),
    controllerManager: component().describe('kube-controller-manager.'),
    scheduler: component().describe('kube-scheduler.'),
    storage: z
      .strictObject({ etcd: component().describe('etcd on the control-plane machines.') })
      .prefault({})
      .describe('Storage of the cluster state.'),
    network: z
      .strictObject({
        provider: z
          .enum(['kuberouter', 'calico', 'custom'])
          .default('kuberouter')
          .describe('Pod network. custom: you install it yourself.'),
        kuberouter: anyObject().optional().describe('Settings of kube-router.'),
        calico: anyObject().optional().describe('Settings of Calico.'),
        kubeProxy: anyObject().optional().describe('Settings of kube-proxy.'),
        coreDNS: anyObject().optional().describe('Settings of CoreDNS, from v1.36 on.'),
        nodeLocalLoadBalancing: anyObject()
          .refine(({ enabled }) => enabled !== true, {
            error:
              'is enabled, which k0s refuses beside the endpoint of the Cluster; accepted: enabled: false, because every machine reaches all control planes by that endpoint',
          })
          .optional()
          .describe(
            'A load balancer on each worker. k0s accepts only enabled: false, because the Cluster has an endpoint.',
          ),
      })
      .refine(hasNoOthers, {
        error: 'has settings of another provider, which k0s ignores; accepted: settings of the chosen provider',
      })
      .prefault({})
      .describe("The network; blocks and domain are the Cluster's own fields."),
    images: anyObject().optional().describe('Where images come from; passed through.'),
    extensions: anyObject().optional().describe('Charts that k0s installs; passed through.'),
    featureGates: z.array(anyObject()).prefault([]).describe('Feature gates of Kubernetes; passed through.'),
    workerProfiles: z
      .array(
        z.strictObject({
          name: z.string().min(1).describe('Name of the profile.'),
          values: anyObject().describe('Fields of a KubeletConfiguration; passed through.'),
        }),
      )
      .prefault([])
      .describe('Kubelet settings that pools select by profile name.'),
    telemetry: z
      .strictObject({ enabled: z.boolean().default(false).describe('Whether k0s sends usage data.') })
      .prefault({})
      .describe('Telemetry of k0s. Off by default, unlike in k0s itself.'),
    disableComponents: z.array(componentName).prefault([]).describe('Components that are not deployed.'),
    encryptionAlgorithm: z
      .enum(['ECDSA-P256', 'RSA-2048'])
      .default('ECDSA-P256')
      .describe('Key algorithm of the certificate authorities, used only when they are created.'),
    profile: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: 'is not a profile; accepted: the name of a worker profile' })
      .optional()
      .describe('Worker profile of the kubelet. Default: the profile named default.'),
    kubelet: z
      .strictObject({
        extraArgs: flags()
          .refine(fitsOneWord, {
            error:
              'has a value with white space, a quote, \\, $ or %; accepted: values without white space, quotes, \\, $ and %, or a worker profile',
          })
          .describe('Flags without dashes; labels, taints and the host name have their own fields.'),
      })
      .prefault({})
      .describe('kubelet of each machine.'),
    cloudProvider: z
      .enum(['external', 'none'])
      .optional()
      .describe('Whether nodes wait for a cloud controller manager. Default: set by the Composition.'),
    release: z
      .string()
      .regex(/^k0s\.[0-9]+$/, { error: 'is not a release; accepted: what k0s adds to the version, such as k0s.0' })
      .default('k0s.0')
      .describe('Release of k0s for the Kubernetes version: with k0s.0, spec.version v1.37.1 installs v1.37.1+k0s.0.'),
    install: z
      .enum(['Download', 'Skip'])
      .default('Download')
      .describe(
        'Download: the machine downloads k0s, unless its image has that release. Skip: the image already has it.',
      ),
    download: z
      .strictObject({
        url: url
          .default('https://github.com/k0sproject/k0s/releases/download')
          .describe('Where releases are, each in a folder of its name: <url>/<release>/k0s-<release>-<architecture>.'),
        sha256: z
          .strictObject({
            amd64: checksum.optional().describe('For x86-64.'),
            arm64: checksum.optional().describe('For ARM.'),
          })
          .prefault({})
          .describe(
            'SHA-256 checksums of the download, by architecture; at least one with install: Download. The first boot fails on an architecture without a checksum, and if the checksum does not match.',
          ),
      })
      .prefault({})
      .describe('Where k0s is downloaded from, and how it is verified.'),
  }),
  OTHER_NAMES,
);

export type K0sConfig = z.output<typeof K0sConfig>;

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export const readK0sConfig = (config: unknown, owner: string): K0sConfig => readClaimConfig(K0sConfig, config, owner);

/** Fields that must be the same on every controller. */
export const OF_THE_CLUSTER = [
  'api',
  'controllerManager',
  'disableComponents',
  'encryptionAlgorithm',
  'extensions',
  'featureGates',
  'images',
  'network',
  'scheduler',
  'storage',
  'telemetry',
  'workerProfiles',
] as const satisfies readonly (keyof K0sConfig)[];
