/** `spec.bootstrap.config` of a claim whose provider is canonical-kubernetes: keys of its bootstrap file, and which snap it is. */
import { z } from 'zod';
import { anyObject } from '#lib/api/schema/rules.ts';
import { flags, readClaimConfig } from '../claim-config.ts';

const feature = (what: string) =>
  anyObject().optional().describe(`${what}: enabled, and settings of its own, which are passed through.`);

export const CanonicalKubernetesConfig = z.strictObject({
  'cluster-config': z
    .strictObject({
      network: feature('Network of the pods'),
      dns: feature('DNS of the cluster'),
      ingress: feature('Ingress'),
      'load-balancer': feature('Load balancer of Services'),
      'local-storage': feature('Storage on the machines'),
      gateway: feature('Gateway API'),
      'metrics-server': feature('metrics-server'),
    })
    .prefault({})
    .describe(
      'Features of the cluster. Left out, network, DNS, gateway (with the network alone) and metrics-server are enabled.',
    ),
  'extra-sans': z
    .array(z.string().min(1))
    .prefault([])
    .describe('Further names and addresses of the Kubernetes API; its endpoint is always among them.'),
  'extra-node-kube-apiserver-args': flags().describe('Flags of kube-apiserver, without their dashes.'),
  'extra-node-kube-controller-manager-args': flags().describe(
    'Flags of kube-controller-manager, without their dashes.',
  ),
  'extra-node-kube-scheduler-args': flags().describe('Flags of kube-scheduler, without their dashes.'),
  'extra-node-kube-proxy-args': flags().describe('Flags of kube-proxy, without their dashes.'),
  'extra-node-kubelet-args': flags().describe(
    'Flags of the kubelet, without their dashes; labels, taints and ids have fields of their own.',
  ),
  'extra-node-containerd-args': flags().describe('Flags of containerd, without their dashes.'),
  cloudProvider: z
    .enum(['external', 'none'])
    .optional()
    .describe("Whether nodes wait for a cloud controller manager. Left out, the Composition's."),
  riskLevel: z
    .enum(['stable', 'candidate', 'beta', 'edge'])
    .default('stable')
    .describe(
      "Risk of the snap's channel 1.NN-classic/…, whose track is the Kubernetes minor. Which patch it holds the Machine's status says.",
    ),
});

export type CanonicalKubernetesConfig = z.output<typeof CanonicalKubernetesConfig>;

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export const readCanonicalKubernetesConfig = (config: unknown, owner: string): CanonicalKubernetesConfig =>
  readClaimConfig(CanonicalKubernetesConfig, config, owner);

/** What every control plane must say alike. */
export const OF_THE_CLUSTER = [
  'cluster-config',
  'extra-sans',
  'extra-node-kube-apiserver-args',
  'extra-node-kube-controller-manager-args',
  'extra-node-kube-scheduler-args',
] as const satisfies readonly (keyof CanonicalKubernetesConfig)[];
