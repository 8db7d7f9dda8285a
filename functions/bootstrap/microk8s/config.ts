/**
 * `spec.bootstrap.config` of a claim with provider microk8s: fields of its launch configuration, and which snap is
 * installed.
 */
import { z } from 'zod';
import { anyObject, withOtherNames } from '#lib/api/schema/rules.ts';
import { flags, readClaimConfig } from '../claim-config.ts';
import { OTHER_NAMES } from './other-names.ts';

const addonName = z
  .string()
  .regex(/^([a-z0-9-]+\/)?[a-z0-9-]+$/, { error: 'is not an addon; accepted: a name such as dns or core/dns' });

export const MicroK8sConfig = withOtherNames(
  z.strictObject({
    extraKubeAPIServerArgs: flags().describe(
      'Flags of kube-apiserver, without their dashes. Default authorization mode: RBAC,Node, unlike in MicroK8s itself.',
    ),
    extraKubeControllerManagerArgs: flags().describe('Flags of kube-controller-manager, without their dashes.'),
    extraKubeSchedulerArgs: flags().describe('Flags of kube-scheduler, without their dashes.'),
    extraKubeProxyArgs: flags().describe('Flags of kube-proxy, without their dashes.'),
    extraKubeletArgs: flags().describe(
      'Flags of all kubelets, without their dashes. A joining machine takes over the flags of the cluster.',
    ),
    extraDqliteArgs: flags().describe('Flags of dqlite, without their dashes.'),
    extraSANs: z
      .array(z.string().min(1))
      .prefault([])
      .describe('Additional names and addresses of the Kubernetes API; its endpoint is always included.'),
    addons: z
      .array(
        z.strictObject({
          name: addonName.describe('Name of the addon.'),
          args: z.array(z.string().min(1)).prefault([]).describe('Arguments of the addon.'),
        }),
      )
      .prefault([{ name: 'dns' }])
      .describe('Addons that the first machine enables, in this order.'),
    cloudProvider: z
      .enum(['external', 'none'])
      .optional()
      .describe('Whether nodes wait for a cloud controller manager. Default: set by the Composition.'),
    kubeletConfiguration: anyObject()
      .optional()
      .describe("Fields of the machine's KubeletConfiguration; flags that MicroK8s sets override them."),
    riskLevel: z
      .enum(['stable', 'candidate', 'beta', 'edge'])
      .default('stable')
      .describe('Risk level of the snap channel; its track is the Kubernetes minor version.'),
    confinement: z.enum(['classic', 'strict']).default('classic').describe('Whether the snap is confined.'),
  }),
  OTHER_NAMES,
);

export type MicroK8sConfig = z.output<typeof MicroK8sConfig>;

/** Fields that must be the same on every control plane, or that joining machines copy from it. */
export const OF_THE_CLUSTER = [
  'addons',
  'cloudProvider',
  'extraDqliteArgs',
  'extraKubeAPIServerArgs',
  'extraKubeControllerManagerArgs',
  'extraKubeProxyArgs',
  'extraKubeSchedulerArgs',
  'extraKubeletArgs',
  'extraSANs',
] as const satisfies readonly (keyof MicroK8sConfig)[];

export const readMicroK8sConfig = (config: unknown, owner: string): MicroK8sConfig =>
  readClaimConfig(MicroK8sConfig, config, owner);
