/** Fields of a claim that only newer releases of kubeadm support; older ones would fail on the machine. */
import { minor } from 'semver';
import type { KubeadmConfig } from './config.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { traits } from './traits.ts';

interface Newer {
  readonly field: keyof KubeadmConfig;
  readonly isSaid: (config: KubeadmConfig) => boolean;
  /** Minor version of Kubernetes. */
  readonly since: number;
  /** What older releases do not support. */
  readonly what: string;
}

const SINCE = traits.minors.since;

const PERIODS = ['certificateValidityPeriod', 'caCertificateValidityPeriod'] as const;

const NEWER: readonly Newer[] = [
  ...PERIODS.map((field) => ({
    field,
    isSaid: (config: KubeadmConfig) => config[field] !== undefined,
    since: SINCE['certificateValidityPeriod and caCertificateValidityPeriod'],
    what: 'it',
  })),
  {
    field: 'encryptionAlgorithm',
    isSaid: ({ encryptionAlgorithm }) => encryptionAlgorithm === 'ECDSA-P384',
    since: SINCE['encryptionAlgorithm ECDSA-P384'],
    what: '"ECDSA-P384"',
  },
];

/** @param version  of the control plane, whose kubeadm reads them */
export function refuseNewer(config: KubeadmConfig, version: string, owner: string): void {
  const found = NEWER.find(({ isSaid, since }) => isSaid(config) && minor(version) < since);
  if (found === undefined) return;
  const { field, what, since } = found;
  throw refusalFor(
    owner,
    `spec.bootstrap.config.${field}`,
    `kubeadm of ${version} does not know ${what}; accepted: v1.${since} and newer`,
    'Unsupported',
  );
}

/** The first minor version that patches each target; every accepted version patches the others. */
const PATCHED: Readonly<Record<string, number>> = {
  kubeletconfiguration: SINCE['patches of kubeletconfiguration'],
  corednsdeployment: SINCE['patches of corednsdeployment'],
};

export function knowsPatchesOf(target: string, version: string): boolean {
  return minor(version) >= (PATCHED[target] ?? 0);
}

/** @param field  of the claim, that the patch is made of */
export function refuseNewerPatch(target: string, field: string, version: string, owner: string): void {
  if (knowsPatchesOf(target, version)) return;
  throw refusalFor(
    owner,
    field,
    `kubeadm of ${version} does not patch ${target}; accepted: v1.${PATCHED[target]} and newer`,
    'Unsupported',
  );
}
