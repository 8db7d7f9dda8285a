/** What k0s refuses of `spec.bootstrap.config`. */
import { minor } from 'semver';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { type ConfigRules, refuseOwned } from '../claim-config.ts';
import { OWNED_FIELD, OWNED_FLAGS } from '../kubelet-flags.ts';
import { type K0sConfig, OF_THE_CLUSTER, readK0sConfig } from './config.ts';
import { traits } from './traits.ts';

export const k0sRules: ConfigRules<K0sConfig> = {
  read: readK0sConfig,
  ofTheCluster: OF_THE_CLUSTER,
  hosts: [['api', 'sans']],
  expands: true,
  flags: {
    'kube-apiserver': ['api', 'extraArgs'],
    'kube-controller-manager': ['controllerManager', 'extraArgs'],
    'kube-scheduler': ['scheduler', 'extraArgs'],
    kubelet: ['kubelet', 'extraArgs'],
  },
  refuse: (config, { ofCluster, role, version, owner }) => {
    refuseUnknownProfile(config, ofCluster, owner);
    refuseUnverified(config, owner);
    refuseOwned(config.kubelet.extraArgs, OWNED_FLAGS, 'kubelet.extraArgs', owner);
    for (const [i, { values }] of config.workerProfiles.entries())
      refuseOwned(values, OWNED_FIELD, `workerProfiles[${i}].values`, owner);
    if (role === 'control-plane') refuseNewer(config, version, owner);
  },
};

/** k0s runs as root. Throws InvalidClaim for a download without any checksum. @param owner how to call the claim */
export function refuseUnverified({ install, download: { sha256 } }: K0sConfig, owner: string): void {
  if (install === 'Skip' || sha256.amd64 !== undefined || sha256.arm64 !== undefined) return;
  const accepted = 'the SHA-256 checksum for amd64, arm64 or both, or install: Skip and an image with k0s';
  throw refusal(owner, 'spec.bootstrap.config.download.sha256', undefined, accepted);
}

/** Otherwise the kubelet would wait for its settings for ever. */
function refuseUnknownProfile({ profile }: K0sConfig, { workerProfiles }: K0sConfig, owner: string): void {
  const names = ['default', ...workerProfiles.map(({ name }) => name)];
  if (profile === undefined || names.includes(profile)) return;
  throw refusal(
    owner,
    'spec.bootstrap.config.profile',
    profile,
    `${names.join(', ')}, as in the Cluster's workerProfiles`,
  );
}

/** An older k0s ignores it, or refuses the whole file. */
function refuseNewer({ network }: K0sConfig, version: string, owner: string): void {
  const since = traits.minors.since['network.coreDNS'];
  if (network.coreDNS === undefined || minor(version) >= since) return;
  const cause = `k0s ${version} does not know it; accepted: v1.${since} and newer`;
  throw refusalFor(owner, 'spec.bootstrap.config.network.coreDNS', cause, 'Unsupported');
}
