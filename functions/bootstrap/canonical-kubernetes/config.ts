/**
 * `spec.bootstrap.config` of a claim with provider canonical-kubernetes: keys of its bootstrap file, and the risk level
 * of the snap.
 */
import { z } from 'zod';
import { anyObject, withOtherNames } from '#lib/api/schema/rules.ts';
import { flags, readClaimConfig } from '../claim-config.ts';
import { OTHER_NAMES } from './other-names.ts';

const feature = (what: string) =>
  anyObject().optional().describe(`${what}: whether it is enabled, and its settings, which are passed through.`);

export const CanonicalKubernetesConfig = withOtherNames(
  z.strictObject({
    'cluster-config': z
      .strictObject({
        network: feature('Pod network'),
        dns: feature('Cluster DNS'),
        ingress: feature('Ingress'),
        'load-balancer': feature('Load balancer of Services'),
        'local-storage': feature('Storage on the machines'),
        gateway: feature('Gateway API'),
        'metrics-server': feature('metrics-server'),
      })
      .prefault({})
      .describe(
        'Features of the cluster. Default: network, DNS, gateway (only with this network) and metrics-server are enabled.',
      ),
    'extra-sans': z
      .array(z.string().min(1))
      .prefault([])
      .describe('Additional names and addresses of the Kubernetes API; its endpoint is always included.'),
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
    k8sdProxyImage: z
      .string()
      .min(1)
      .max(512)
      .regex(/^[a-z0-9][a-z0-9._/:@-]*$/, 'not the name of an image')
      .default('ghcr.io/canonical/cluster-api-k8s/socat:1.8.0.0')
      .describe(
        'Image of DaemonSet kube-system/k8sd-proxy, by which provider-node reaches k8sd; its entrypoint is socat. Read when the cluster starts.',
      ),
    cloudProvider: z
      .enum(['external', 'none'])
      .optional()
      .describe('Whether nodes wait for a cloud controller manager. Default: set by the Composition.'),
    riskLevel: z
      .enum(['stable', 'candidate', 'beta', 'edge'])
      .default('stable')
      .describe(
        'Risk level of the snap channel 1.NN-classic/…; its track is the Kubernetes minor version. The status of the Machine has the patch version.',
      ),
  }),
  OTHER_NAMES,
);

export type CanonicalKubernetesConfig = z.output<typeof CanonicalKubernetesConfig>;

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export const readCanonicalKubernetesConfig = (config: unknown, owner: string): CanonicalKubernetesConfig =>
  readClaimConfig(CanonicalKubernetesConfig, config, owner);

/** Fields that must be the same on every control plane. */
export const OF_THE_CLUSTER = [
  'cluster-config',
  'extra-sans',
  'extra-node-kube-apiserver-args',
  'extra-node-kube-controller-manager-args',
  'extra-node-kube-scheduler-args',
  'k8sdProxyImage',
] as const satisfies readonly (keyof CanonicalKubernetesConfig)[];
