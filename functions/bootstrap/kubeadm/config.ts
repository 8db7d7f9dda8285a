/** `spec.bootstrap.config` of a claim with provider kubeadm, with the names of kubeadm. */
import { z } from 'zod';
import { duration, seconds } from '#lib/api/fields/text.ts';
import { anyObject, withOtherNames } from '#lib/api/schema/rules.ts';
import { flags, readClaimConfig } from '../claim-config.ts';
import { AUTHORITY_SECONDS } from '../pki/issue.ts';
import { Etcd } from './etcd-config.ts';
import { traits } from './traits.ts';
import { OTHER_NAMES } from './other-names.ts';

const Volume = z.strictObject({
  name: z.string().min(1).describe('Name of the volume.'),
  hostPath: z.string().min(1).describe('Path on the machine.'),
  mountPath: z.string().min(1).describe('Path in the pod.'),
  readOnly: z.boolean().default(true).describe('Whether the pod may only read it.'),
  pathType: z
    .enum(['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File'])
    .default('File')
    .describe('What must be at the path.'),
});

const component = () =>
  z
    .strictObject({
      extraArgs: flags(),
      extraVolumes: z
        .array(Volume)
        .prefault([])
        .describe('Files and folders of the machine that are mounted into the pod.'),
    })
    .prefault({});

const Patch = z
  .strictObject({
    target: z
      .enum([
        'kube-apiserver',
        'kube-controller-manager',
        'kube-scheduler',
        'etcd',
        'kubeletconfiguration',
        'corednsdeployment',
      ])
      .describe('Target of the patch.'),
    type: z.enum(['strategic', 'merge', 'json']).default('strategic').describe('Kind of patch.'),
    patch: z.union([anyObject(), z.array(anyObject())]).describe('The patch: an object, or a list of operations.'),
  })
  .refine(({ type, patch }) => Array.isArray(patch) === (type === 'json'), {
    error: 'is not a patch of its type; accepted: a list of operations for type json, an object otherwise',
  });

const HOUR = 3600;

/**
 * At least a day, because joining takes time. At most a hundred years, because Go durations end at 292 years and X.509
 * dates with the year 9999.
 */
const [SHORTEST, LONGEST] = [24 * HOUR, 876_000 * HOUR];

// Aborts, so that the error about outliving the authority is not reported as well.
const period = () =>
  duration().refine((text) => seconds(text) >= SHORTEST && seconds(text) <= LONGEST, {
    error: 'is not accepted; accepted: hours, minutes and seconds from 24h, a day, to 876000h, a hundred years',
    abort: true,
  });

const SINCE = traits.minors.since;
const SINCE_PERIODS = `1.${SINCE['certificateValidityPeriod and caCertificateValidityPeriod']} and newer`;

const names = () => z.array(z.string().min(1)).prefault([]);

const FIELDS = {
  imageRepository: z.string().min(1).optional().describe('Where control-plane images come from.'),
  certSANs: names().describe('Additional names and addresses of the Kubernetes API; its endpoint is always included.'),
  apiServer: component().describe('kube-apiserver.'),
  controllerManager: component().describe('kube-controller-manager.'),
  scheduler: component().describe('kube-scheduler.'),
  etcd: Etcd.prefault({}).describe('etcd: on the control-plane machines, or external.'),
  kubelet: z
    .strictObject({
      extraArgs: flags().describe('Flags without dashes; labels, taints and the host name have their own fields.'),
    })
    .prefault({})
    .describe('kubelet of each machine.'),
  featureGates: z.record(z.string().min(1), z.boolean()).prefault({}).describe('Feature gates of kubeadm itself.'),
  encryptionAlgorithm: z
    .enum(['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'])
    .default('ECDSA-P256')
    .describe(
      `Key algorithm of the certificate authorities, used only when they are created, and from 1.${SINCE.v1beta4} on of the certificates that kubeadm issues; older versions issue RSA. ECDSA-P384 needs 1.${SINCE['encryptionAlgorithm ECDSA-P384']}.`,
    ),
  encryptSecrets: z
    .boolean()
    .default(true)
    .describe(
      'Whether Secrets are encrypted in etcd. Used only when the cluster is created; the key is in the Secret <cluster>-encryption.',
    ),
  certificateValidityPeriod: period()
    .optional()
    .describe(
      `Validity of the certificates that kubeadm issues, from 24h to 876000h; ${SINCE_PERIODS}. Default: one year, as in kubeadm.`,
    ),
  caCertificateValidityPeriod: period()
    .optional()
    .describe(
      `Validity of the certificate authorities, from 24h to 876000h, used only when they are created; ${SINCE_PERIODS}. Default: ten years.`,
    ),
  cloudProvider: z
    .enum(['external', 'none'])
    .optional()
    .describe('Whether nodes wait for a cloud controller manager. Default: set by the Composition.'),
  ignorePreflightErrors: names().describe('Preflight checks of kubeadm whose errors are ignored.'),
  imagePullPolicy: z
    .enum(['Always', 'IfNotPresent', 'Never'])
    .optional()
    .describe('Pull policy of control-plane images. Default: IfNotPresent, as in kubeadm.'),
  skipPhases: z
    .strictObject({
      init: names().describe('Phases of kubeadm init.'),
      join: names().describe('Phases of kubeadm join.'),
    })
    .prefault({})
    .describe('Phases of kubeadm to skip.'),
  patches: z
    .array(Patch)
    .prefault([])
    .describe(
      'Patches of the files that kubeadm writes on each machine, applied in order: files below /etc/kubernetes/patches.',
    ),
  kubeletConfiguration: anyObject()
    .optional()
    .describe(
      'KubeletConfiguration of the whole cluster, passed through. That of a pool is merged over it on the nodes of the pool.',
    ),
  kubeProxyConfiguration: anyObject()
    .optional()
    .describe('KubeProxyConfiguration of the whole cluster, passed through.'),
};

const endsWithAuthority = ({ certificateValidityPeriod: leaf, caCertificateValidityPeriod: ca }: Periods): boolean =>
  leaf === undefined || seconds(leaf) <= (ca === undefined ? AUTHORITY_SECONDS : seconds(ca));

const patchesWhatRuns = ({ etcd: { external }, patches }: Patched): boolean =>
  external === undefined || patches.every(({ target }) => target !== 'etcd');

interface Patched {
  readonly etcd: z.output<typeof Etcd>;
  readonly patches: readonly z.output<typeof Patch>[];
}

interface Periods {
  readonly certificateValidityPeriod?: string | undefined;
  readonly caCertificateValidityPeriod?: string | undefined;
}

export const KubeadmConfig = withOtherNames(
  z
    .strictObject(FIELDS)
    .refine(endsWithAuthority, {
      path: ['certificateValidityPeriod'],
      error:
        'is longer than caCertificateValidityPeriod (default 87600h); accepted: at most the validity of the certificate authority',
    })
    .refine(patchesWhatRuns, {
      path: ['patches'],
      error:
        'has a patch for etcd although etcd.external is set; accepted: patches of components that run on the machines',
    }),
  OTHER_NAMES,
);

export type KubeadmConfig = z.output<typeof KubeadmConfig>;

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export const readKubeadmConfig = (config: unknown, owner: string): KubeadmConfig =>
  readClaimConfig(KubeadmConfig, config, owner);

/** Fields that the first machine writes to the cluster for all others. */
export const OF_THE_CLUSTER = [
  'apiServer',
  'caCertificateValidityPeriod',
  'certSANs',
  'certificateValidityPeriod',
  'controllerManager',
  'encryptSecrets',
  'encryptionAlgorithm',
  'etcd',
  'featureGates',
  'imageRepository',
  'kubeProxyConfiguration',
  'scheduler',
] as const satisfies readonly (keyof KubeadmConfig)[];
