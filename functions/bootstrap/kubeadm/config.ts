/** `spec.bootstrap.config` of a claim whose provider is kubeadm, in kubeadm's own words. */
import { z } from 'zod';
import { anyObject } from '#lib/api/schema/rules.ts';
import { parseAs } from '#lib/api/parse.ts';

const args = () => z.record(z.string().min(1), z.string()).prefault({});
const component = () => z.strictObject({ extraArgs: args().describe('Flags without their dashes.') }).prefault({});

export const KubeadmConfig = z.strictObject({
  imageRepository: z.string().min(1).optional().describe('Where control-plane images come from.'),
  certSANs: z.array(z.string().min(1)).prefault([]).describe('Further names and addresses of the Kubernetes API.'),
  apiServer: component().describe('kube-apiserver.'),
  controllerManager: component().describe('kube-controller-manager.'),
  scheduler: component().describe('kube-scheduler.'),
  etcd: z
    .strictObject({
      dataDir: z.string().min(1).default('/var/lib/etcd').describe('Where etcd keeps its data.'),
      extraArgs: args().describe('Flags without their dashes.'),
    })
    .prefault({})
    .describe('etcd on the control-plane machines.'),
  kubelet: component().describe('kubelet of this machine.'),
  featureGates: z.record(z.string().min(1), z.boolean()).prefault({}).describe("kubeadm's own feature gates."),
  encryptionAlgorithm: z
    .enum(['ECDSA-P256', 'RSA-2048'])
    .default('ECDSA-P256')
    .describe('Keys of the certificate authorities and of what kubeadm issues. Read when they are made.'),
  cloudProvider: z.enum(['external', 'none']).optional().describe("Left out, the Composition's."),
  ignorePreflightErrors: z.array(z.string().min(1)).prefault([]).describe('Checks of kubeadm that may fail.'),
  imagePullPolicy: z
    .enum(['Always', 'IfNotPresent', 'Never'])
    .default('IfNotPresent')
    .describe('How kubeadm pulls control-plane images.'),
  skipPhases: z.array(z.string().min(1)).prefault([]).describe('Phases of kubeadm init and join to leave out.'),
  kubeletConfiguration: anyObject()
    .optional()
    .describe('KubeletConfiguration of the whole cluster, given to kubeadm init.'),
  kubeProxyConfiguration: anyObject()
    .optional()
    .describe('KubeProxyConfiguration of the whole cluster, given to kubeadm init.'),
});

export type KubeadmConfig = z.output<typeof KubeadmConfig>;

const Nested = z.looseObject({ spec: z.looseObject({ bootstrap: z.looseObject({ config: KubeadmConfig }) }) });

/** Throws InvalidClaim naming the field by its place in the claim. @param what how to call the claim */
export function readConfig(config: unknown, what: string): KubeadmConfig {
  return parseAs(Nested, { spec: { bootstrap: { config } } }, what).spec.bootstrap.config;
}
