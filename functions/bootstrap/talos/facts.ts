/** The data for the Talos configuration of a machine. */
import type { Secrets } from '../machine-secrets.ts';
import { refuseMinor } from '#lib/cloud/minors.ts';
import type { MachineFacts } from '../machine-facts.ts';
import type { TalosConfig } from './config.ts';
import { type Release, RELEASES } from './traits.ts';

export interface TalosFacts extends MachineFacts {
  readonly config: TalosConfig;
  readonly secrets: Secrets;
}

export function isControlPlane({ machine }: TalosFacts): boolean {
  return machine.spec.role === 'control-plane';
}

export function endpointUrl({ endpoint: { host, port } }: TalosFacts): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Throws Unsupported for a version that this release of Talos does not support. */
export function refuseVersion(version: string, release: Release, owner: string): void {
  refuseMinor(version, RELEASES[release], `Talos ${release}`, owner);
}
