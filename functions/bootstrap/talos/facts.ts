/** Everything a machine's Talos configuration is made of, and the Kubernetes versions a Talos runs. */
import { minor } from 'semver';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Secrets } from '../machine-secrets.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Release, TalosConfig } from './config.ts';

export interface Facts extends Surroundings {
  readonly config: TalosConfig;
  readonly secrets: Secrets;
}

export function isControlPlane({ machine }: Facts): boolean {
  return machine.spec.role === 'control-plane';
}

export function endpointUrl({ endpoint: { host, port } }: Facts): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Minors of Kubernetes 1, from and to, by Talos release: the support matrix of its documentation. */
const KUBERNETES: Readonly<Record<Release, readonly [number, number]>> = { '1.13': [31, 36], '1.14': [32, 37] };

export function refuseVersion(version: string, release: Release, owner: string): void {
  const [from, to] = KUBERNETES[release];
  if (minor(version) >= from && minor(version) <= to) return;
  throw new SlipwayError(
    'Unsupported',
    `cannot bootstrap ${owner} with Talos ${release}: spec.version: "${version}" is not accepted; accepted: v1.${from} to v1.${to}`,
  );
}
