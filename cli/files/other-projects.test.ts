/** Objects of projects with the same jobs beside claims: their authors are told that nothing reads them. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { noClaim } from './claims.ts';
import { notesOnOthers } from './other-projects.ts';

const of = (apiVersion: string, kind: string, name = 'md') => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'team-a' },
});
const CAPI = 'cluster.x-k8s.io/v1beta1';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';

test.for([
  [CAPI, 'Cluster', 'a Cluster'],
  [CAPI, 'MachineDeployment', 'a NodePool'],
  [CAPI, 'MachineSet', 'a NodePool'],
  [CAPI, 'MachinePool', 'a NodePool'],
  [CAPI, 'Machine', 'a NodePool, which creates its Machines'],
  [CAPI, 'ClusterClass', 'a Composition, which a Cluster chooses by a label'],
  [CAPI, 'MachineHealthCheck', 'spec.health of a Cluster or of a NodePool'],
  ['addons.cluster.x-k8s.io/v1beta1', 'ClusterResourceSet', 'spec.addons of a Cluster'],
  ['runtime.cluster.x-k8s.io/v1beta2', 'ExtensionConfig', 'a function of your own in a Composition'],
  ['controlplane.cluster.x-k8s.io/v1beta1', 'KubeadmControlPlane', 'spec.controlPlane of a Cluster'],
  ['controlplane.cluster.x-k8s.io/v1beta2', 'AWSManagedControlPlane', 'spec.controlPlane of a Cluster'],
  [
    'bootstrap.cluster.x-k8s.io/v1beta1',
    'KubeadmConfigTemplate',
    'spec.bootstrap.config of a Cluster or of a NodePool',
  ],
  ['bootstrap.cluster.x-k8s.io/v1beta1', 'TalosConfig', 'spec.bootstrap.config of a Cluster or of a NodePool'],
  [INFRASTRUCTURE, 'AWSCluster', 'spec.infrastructure of a Cluster, and its Composition'],
  [INFRASTRUCTURE, 'AWSMachineTemplate', 'spec.machine of a NodePool, and spec.controlPlane.machine of a Cluster'],
  [INFRASTRUCTURE, 'AzureMachinePool', 'spec.machine of a NodePool, and spec.controlPlane.machine of a Cluster'],
  ['ipam.cluster.x-k8s.io/v1beta2', 'IPAddressClaim', 'a Cluster and its NodePools'],
  ['karpenter.sh/v1', 'NodePool', 'a NodePool'],
  ['karpenter.sh/v1', 'NodeClaim', 'a NodePool, which creates its Machines'],
  ['karpenter.k8s.aws/v1', 'EC2NodeClass', 'spec.machine of a NodePool'],
  ['karpenter.azure.com/v1beta1', 'AKSNodeClass', 'spec.machine of a NodePool'],
  ['kops.k8s.io/v1alpha2', 'InstanceGroup', 'a NodePool'],
  ['core.gardener.cloud/v1beta1', 'Shoot', 'a Cluster and its NodePools'],
  ['eksctl.io/v1alpha5', 'ClusterConfig', 'a Cluster and its NodePools'],
] as const)('%s %s is noted with what Slipway has instead', ([apiVersion, kind, instead]) => {
  expect(notesOnOthers([of(apiVersion, kind)])).toEqual([
    expect.stringMatching(
      new RegExp(
        `^nothing is made of ${kind} "team-a/md": ${apiVersion} is of .*; what Slipway has instead: ${instead}$`,
      ),
    ),
  ]);
});

test('several of one kind are one note, which names the first', () => {
  const objects = ['a', 'b', 'c'].map((name) => of(CAPI, 'MachineDeployment', name));
  expect(notesOnOthers([...objects, of(CAPI, 'Cluster', 'a')])).toEqual([
    `nothing is made of MachineDeployment "team-a/a" and 2 more: ${CAPI} is of Cluster API; what Slipway has instead: a NodePool`,
    `nothing is made of Cluster "team-a/a": ${CAPI} is of Cluster API; what Slipway has instead: a Cluster`,
  ]);
});

test.for([
  of(API_VERSION, 'Cluster'),
  of('v1', 'ConfigMap'),
  of('cluster.x-k8s.io.example.org/v1', 'Cluster'),
  of('ec2.aws.m.upbound.io/v1beta1', 'Instance'),
])('nothing is said of $kind of $apiVersion', (object) => {
  expect(notesOnOthers([object])).toEqual([]);
});

test('configuration of programs has no name, and is noted all the same', () => {
  const bare = (apiVersion: string, kind: string): KubeObject => ({ apiVersion, kind });
  const kubeadm = 'kubeadm.k8s.io/v1beta4';
  expect(notesOnOthers([bare(kubeadm, 'ClusterConfiguration'), bare(kubeadm, 'ClusterConfiguration')])).toEqual([
    `nothing is made of ClusterConfiguration and 1 more: ${kubeadm} is of kubeadm; what Slipway has instead: spec.bootstrap.config of a Cluster or of a NodePool`,
  ]);
});

test('files with nothing else are told what Slipway has for each kind', () => {
  const { hint } = noClaim([of(CAPI, 'Cluster', 'a'), of(CAPI, 'MachineDeployment', 'b')], ['capi.yaml'], 'validate');
  expect(hint).toMatch(
    /Cluster "team-a\/a": .* a Cluster; nothing is made of MachineDeployment "team-a\/b": .* a NodePool$/,
  );
});
