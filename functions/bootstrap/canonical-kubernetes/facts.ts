/** The data for the files of a machine, and the fields of a claim that Canonical Kubernetes does not support. */
import { refuseMinor } from '#lib/cloud/minors.ts';
import type { MachineFacts } from '../machine-facts.ts';
import type { Pair } from '../pki/pem.ts';
import type { CanonicalKubernetesConfig } from './config.ts';
import { traits } from './traits.ts';

export interface CanonicalKubernetesFacts extends MachineFacts {
  readonly config: CanonicalKubernetesConfig;
  readonly role: Role;
}

/** What a machine does, and with which data. */
export type Role =
  | { readonly starts: true; readonly authorities: Authorities; readonly authToken: string }
  | { readonly starts: false; readonly token: string };

export interface Authorities {
  readonly server: Pair;
  readonly client: Pair;
  readonly frontProxy: Pair;
  readonly serviceAccount: Pair;
}

export function refuseOlder(version: string, owner: string): void {
  refuseMinor(version, traits.minors, 'canonical-kubernetes', owner);
}

export function isControlPlane({ machine }: CanonicalKubernetesFacts): boolean {
  return machine.spec.role === 'control-plane';
}
