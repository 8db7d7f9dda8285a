/** `spec.bootstrap.config` of a claim whose provider is kubeadm, in kubeadm's own words. */
import { z } from 'zod';
import { duration, seconds } from '#lib/api/fields/text.ts';
import { anyObject } from '#lib/api/schema/rules.ts';
import { flags, readClaimConfig } from '../claim-config.ts';
import { AUTHORITY_SECONDS } from '../pki/issue.ts';
import { Etcd } from './etcd-config.ts';
import { traits } from './traits.ts';

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
      extraVolumes: z.array(Volume).prefault([]).describe('Files and folders of the machine that its pod sees.'),
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
      .describe('What is patched.'),
    type: z.enum(['strategic', 'merge', 'json']).default('strategic').describe('Kind of patch.'),
    patch: z.union([anyObject(), z.array(anyObject())]).describe('The patch: an object, or a list of operations.'),
  })
  .refine(({ type, patch }) => Array.isArray(patch) === (type === 'json'), {
    error: 'is not a patch of its type; accepted: a list of operations for type json, an object otherwise',
  });

const HOUR = 3600;

/** A day, since no machine joins in an instant. A hundred years, since Go counts no more than 292 and X.509 ends with 9999. */
const [SHORTEST, LONGEST] = [24 * HOUR, 876_000 * HOUR];

// Aborts: that it outlives its authority, too, is no second error.
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
  certSANs: names().describe('Further names and addresses of the Kubernetes API; its endpoint is always among them.'),
  apiServer: component().describe('kube-apiserver.'),
  controllerManager: component().describe('kube-controller-manager.'),
  scheduler: component().describe('kube-scheduler.'),
  etcd: Etcd.prefault({}).describe('etcd on the control-plane machines, or elsewhere.'),
  kubelet: z
    .strictObject({
      extraArgs: flags().describe('Flags without their dashes; labels, taints and host name have fields of their own.'),
    })
    .prefault({})
    .describe('kubelet of each machine.'),
  featureGates: z.record(z.string().min(1), z.boolean()).prefault({}).describe("kubeadm's own feature gates."),
  encryptionAlgorithm: z
    .enum(['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'])
    .default('ECDSA-P256')
    .describe(
      `Keys of the certificate authorities, read when they are made, and since 1.${SINCE.v1beta4} of what kubeadm issues; an older one issues RSA. ECDSA-P384 needs 1.${SINCE['encryptionAlgorithm ECDSA-P384']}.`,
    ),
  certificateValidityPeriod: period()
    .optional()
    .describe(
      `How long what kubeadm issues is good for, from 24h to 876000h; ${SINCE_PERIODS}. Left out, kubeadm’s own: a year.`,
    ),
  caCertificateValidityPeriod: period()
    .optional()
    .describe(
      `How long the certificate authorities are good for, from 24h to 876000h, read when they are made; ${SINCE_PERIODS}. Left out, ten years.`,
    ),
  cloudProvider: z
    .enum(['external', 'none'])
    .optional()
    .describe("Whether nodes wait for a cloud controller manager. Left out, the Composition's."),
  ignorePreflightErrors: names().describe('Checks of kubeadm that may fail.'),
  imagePullPolicy: z
    .enum(['Always', 'IfNotPresent', 'Never'])
    .optional()
    .describe('How kubeadm pulls control-plane images. Left out, kubeadm’s own: IfNotPresent.'),
  skipPhases: z
    .strictObject({
      init: names().describe('Phases of kubeadm init.'),
      join: names().describe('Phases of kubeadm join.'),
    })
    .prefault({})
    .describe('Phases of kubeadm to leave out.'),
  patches: z
    .array(Patch)
    .prefault([])
    .describe('Patches of what kubeadm writes on each machine, in this order: files below /etc/kubernetes/patches.'),
  kubeletConfiguration: anyObject()
    .optional()
    .describe(
      "KubeletConfiguration, passed through. The Cluster's is that of the whole cluster; a pool's is laid over it by a patch, on the pool's own nodes.",
    ),
  kubeProxyConfiguration: anyObject()
    .optional()
    .describe('KubeProxyConfiguration of the whole cluster, passed through.'),
};

const outlivesNobody = ({ certificateValidityPeriod: leaf, caCertificateValidityPeriod: ca }: Periods): boolean =>
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

export const KubeadmConfig = z
  .strictObject(FIELDS)
  .refine(outlivesNobody, {
    path: ['certificateValidityPeriod'],
    error:
      'is longer than caCertificateValidityPeriod, 87600h when left out; accepted: what ends before its authority does',
  })
  .refine(patchesWhatRuns, {
    path: ['patches'],
    error: 'has one whose target is etcd beside etcd.external; accepted: patches of what runs on the machines',
  });

export type KubeadmConfig = z.output<typeof KubeadmConfig>;

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export const readKubeadmConfig = (config: unknown, owner: string): KubeadmConfig =>
  readClaimConfig(KubeadmConfig, config, owner);

/** What the machine that starts a cluster writes into it for all others. */
export const OF_THE_CLUSTER = [
  'apiServer',
  'caCertificateValidityPeriod',
  'certSANs',
  'certificateValidityPeriod',
  'controllerManager',
  'encryptionAlgorithm',
  'etcd',
  'featureGates',
  'imageRepository',
  'kubeProxyConfiguration',
  'scheduler',
] as const satisfies readonly (keyof KubeadmConfig)[];
