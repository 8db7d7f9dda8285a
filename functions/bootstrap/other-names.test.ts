/** People who write settings as Cluster API, kubeadm or the kubelet call them are told the field of their provider. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { hasField } from '#lib/api/schema/places.ts';
import { refuseConfig } from './configs.ts';
import { BOOTSTRAPPERS } from './registry.ts';

const namesOf = (config: z.ZodType): Readonly<Record<string, string>> =>
  (config.meta() as { readonly otherNames?: Readonly<Record<string, string>> } | undefined)?.otherNames ?? {};

describe.for(Object.entries(BOOTSTRAPPERS).map(([name, { config }]) => ({ name, config: config.schema })))(
  'the table of $name',
  ({ config }) => {
    const table = Object.entries(namesOf(config));

    test('has some', () => {
      expect(table.length).toBeGreaterThan(10);
    });

    test('names fields that exist, by names that do not', () => {
      for (const [name, field] of table) {
        const steps = field.split('.');
        const inSpec = [Cluster, NodePool].every((kind) => hasField(kind, steps));
        expect(steps[0] === 'spec' ? inSpec : hasField(config, steps), field).toBe(true);
        expect(hasField(config, name.split('.')), `${name} is a field itself`).toBe(false);
      }
    });
  },
);

const lineOf = (provider: string, config: JsonObject): string => {
  try {
    refuseConfig(provider, config, { ofCluster: {}, role: 'control-plane', version: 'v1.35.4', owner: 'it' });
    return 'accepted';
  } catch (thrown) {
    return SlipwayError.from(thrown).message;
  }
};

const IN_CONFIG = 'spec.bootstrap.config.';

test.for<readonly [string, JsonObject, string]>([
  ['kubeadm', { kubeletExtraArgs: { 'max-pods': '60' } }, `${IN_CONFIG}kubelet.extraArgs`],
  ['kubeadm', { nodeRegistration: { kubeletExtraArgs: {} } }, `${IN_CONFIG}kubelet.extraArgs`],
  ['kubeadm', { kubelet: { maxPods: 60 } }, `${IN_CONFIG}kubeletConfiguration.maxPods`],
  ['kubeadm', { maxPods: 60 }, `${IN_CONFIG}kubeletConfiguration.maxPods`],
  ['kubeadm', { apiServer: { certSANs: ['api.example.com'] } }, `${IN_CONFIG}certSANs`],
  ['kubeadm', { etcd: { local: { dataDir: '/data' } } }, `${IN_CONFIG}etcd`],
  ['kubeadm', { preKubeadmCommands: ['true'] }, 'spec.provisioning.commands.pre'],
  ['kubeadm', { kubernetesVersion: 'v1.35.4' }, 'spec.version'],
  ['talos', { kubelet: { maxPods: 60 } }, `${IN_CONFIG}kubelet.extraConfig.maxPods`],
  ['talos', { machine: { sysctls: {} } }, `${IN_CONFIG}patches.all`],
  ['nodeadm', { kubelet: { maxPods: 60 } }, `${IN_CONFIG}kubelet.config.maxPods`],
  ['nodeadm', { kubeletExtraArgs: {} }, `${IN_CONFIG}kubelet.flags`],
  ['bottlerocket', { kubernetes: { maxPods: 60 } }, `${IN_CONFIG}kubernetes.max-pods`],
  ['microk8s', { certSANs: [] }, `${IN_CONFIG}extraSANs`],
  ['canonical-kubernetes', { apiServer: {} }, `${IN_CONFIG}extra-node-kube-apiserver-args`],
  ['k0s', { certSANs: [] }, `${IN_CONFIG}api.sans`],
  ['k3s', { kubeletExtraArgs: {} }, 'kubelet-arg'],
  ['rke2', { certSANs: [] }, 'tls-san'],
])('%s with %o: did you mean %s', ([provider, config, meant]) => {
  expect(lineOf(provider, config)).toMatch(/^cannot accept it: spec\.bootstrap\.config\.[^ ]+: /);
  expect(lineOf(provider, config)).toContain(`; did you mean "${meant}"?`);
});
