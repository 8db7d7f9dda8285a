/** The data for the kubeadm files of a machine, and their API version. */
import { minor } from 'semver';
import { canonical } from '#lib/api/json.ts';
import type { Flags } from '../claim-config.ts';
import { refuseMinor } from '#lib/cloud/minors.ts';
import type { MachineFacts } from '../machine-facts.ts';
import type { KubeadmConfig } from './config.ts';
import { traits } from './traits.ts';

export type ApiVersion = 'v1beta3' | 'v1beta4';
export type Document = Readonly<Record<string, unknown>>;

export interface KubeadmFacts extends MachineFacts {
  readonly config: KubeadmConfig;
  /** The configuration of the Cluster, which the first machine wrote into the cluster. */
  readonly clusterConfig: KubeadmConfig;
  readonly api: ApiVersion;
  readonly token: string;
  readonly caCertHash: string;
  /** Whether the cluster encrypts Secrets in etcd. */
  readonly encrypted: boolean;
}

/** Throws Unsupported for a version older than both. */
export function apiVersionOf(version: string, owner: string): ApiVersion {
  const { minors } = traits;
  refuseMinor(version, minors, 'kubeadm', owner);
  return minor(version) >= minors.since.v1beta4 ? 'v1beta4' : 'v1beta3';
}

/** Flags are a list of names and values in v1beta4 and a map in v1beta3; the field is omitted if there are none. */
export function flagsAs(field: string, flags: Flags, api: ApiVersion): Document {
  const sorted = Object.entries(flags).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.length === 0) return {};
  return { [field]: api === 'v1beta3' ? Object.fromEntries(sorted) : sorted.map(([name, value]) => ({ name, value })) };
}

/** An object of the claim with sorted keys: the same claim with another order of keys gives the same file. */
export function inOrder(fields: Document): Document {
  return JSON.parse(canonical(fields)) as Document;
}
