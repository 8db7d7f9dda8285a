/** The data for the k0s files of a machine, and the k0s release for its version. */
import { refuseMinor } from '#lib/cloud/minors.ts';
import type { MachineFacts } from '../machine-facts.ts';
import type { K0sConfig } from './config.ts';
import { traits } from './traits.ts';

export interface K0sFacts extends MachineFacts {
  readonly config: K0sConfig;
  /** PEM of the authority that signs the certificate of the Kubernetes API. */
  readonly ca: string;
  /** The token by which it joins; undefined: it starts the cluster. */
  readonly token: string | undefined;
  /** v1.37.1+k0s.0 */
  readonly release: string;
}

/** Throws Unsupported for a version that k0s does not support. */
export function releaseOf(version: string, { release }: K0sConfig, owner: string): string {
  refuseMinor(version, traits.minors, 'k0s', owner);
  return `${version}+${release}`;
}

export function isController({ machine }: Pick<K0sFacts, 'machine'>): boolean {
  return machine.spec.role === 'control-plane';
}
