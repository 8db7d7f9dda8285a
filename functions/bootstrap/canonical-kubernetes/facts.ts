/** Everything a machine's files of Canonical Kubernetes are made of, and what of a claim it cannot do. */
import { minor } from 'semver';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Pair } from '../pki/pem.ts';
import type { CanonicalKubernetesConfig } from './config.ts';

export interface Facts extends Surroundings {
  readonly config: CanonicalKubernetesConfig;
  readonly role: Role;
}

/** What a machine is told to do, and with what. */
export type Role =
  { readonly starts: true; readonly authorities: Authorities } | { readonly starts: false; readonly token: string };

export interface Authorities {
  readonly server: Pair;
  readonly client: Pair;
  readonly frontProxy: Pair;
  readonly serviceAccount: Pair;
}

const OLDEST = 34;

/** 1.34 is the first whose store is etcd: at ports that are open between control planes. */
export function refuseOlder(version: string, owner: string): void {
  if (minor(version) >= OLDEST) return;
  throw new SlipwayError(
    'Unsupported',
    `cannot bootstrap ${owner} with canonical-kubernetes: spec.version: "${version}" is not accepted; accepted: v1.${OLDEST} and newer`,
  );
}

export function isControlPlane({ machine }: Facts): boolean {
  return machine.spec.role === 'control-plane';
}
