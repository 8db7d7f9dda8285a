/** Everything a machine's k0s files are made of, and the release of k0s that its version means. */
import { minor } from 'semver';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Surroundings } from '../surroundings.ts';
import type { K0sConfig } from './config.ts';

export interface Facts extends Surroundings {
  readonly config: K0sConfig;
  /** PEM of the authority that the Kubernetes API's certificate is signed by. */
  readonly ca: string;
  readonly tokens: { readonly controller: string; readonly worker: string };
  /** v1.35.4+k0s.0 */
  readonly release: string;
}

const OLDEST = 27;

/** 1.27 is the first that reads drop-ins for containerd. */
export function releaseOf(version: string, { release }: K0sConfig, owner: string): string {
  if (minor(version) >= OLDEST) return `${version}+${release}`;
  throw new SlipwayError(
    'Unsupported',
    `cannot bootstrap ${owner} with k0s: spec.version: "${version}" is not accepted; accepted: v1.${OLDEST} and newer`,
  );
}

export function isController({ machine }: Facts): boolean {
  return machine.spec.role === 'control-plane';
}
