/**
 * Reads `spec.bootstrap.config`; for unknown keys and keys that a claim cannot set, the error says what to use instead.
 */
import { isJsonObject } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { otherNameAt } from '#lib/api/schema/path.ts';
import { readClaimConfig } from '../claim-config.ts';
import type { Config, ownFields } from './config.ts';
import type { Distribution } from './distribution.ts';

const OWN = [
  'release',
  'install',
  'installer',
  'cloudProvider',
  'encryptionAlgorithm',
] as const satisfies readonly (keyof ReturnType<typeof ownFields>)[];

/** Keys that are set from other fields, with these fields. */
const OWNED: Readonly<Record<string, string>> = {
  'agent-token': 'nothing, since it is created once and stored in a Secret',
  'cloud-provider-name': 'cloudProvider',
  'cluster-cidr': 'spec.network.pods of the Cluster',
  'cluster-domain': 'spec.network.dnsDomain of the Cluster',
  'cluster-init': 'nothing, since exactly one machine starts the cluster',
  'data-dir': 'nothing, since certificates are written to the default path',
  'disable-cloud-controller': 'cloudProvider',
  'etcd-s3-access-key': 'etcd-s3-config-secret',
  'etcd-s3-secret-key': 'etcd-s3-config-secret',
  'etcd-s3-session-token': 'etcd-s3-config-secret',
  'node-label': 'spec.labels',
  'node-name': 'the name of the Machine',
  'node-taint': 'spec.taints',
  'private-registry': 'spec.provisioning.registries',
  server: 'spec.controlPlane.endpoint of the Cluster',
  'service-cidr': 'spec.network.services of the Cluster',
  token: 'nothing, since it is created once and stored in a Secret',
};

/** Throws InvalidClaim naming the field by its place in the claim; values of keys that hold secrets are not quoted. */
export function readConfig(
  distribution: Pick<Distribution, 'name' | 'schema' | 'keys'>,
  config: unknown,
  owner: string,
): Config {
  for (const key of Object.keys(isJsonObject(config) ? config : {})) refuseKey(distribution, key, owner);
  return readClaimConfig(distribution.schema, config, owner);
}

function refuseKey(
  { name, schema, keys }: Pick<Distribution, 'name' | 'schema' | 'keys'>,
  key: string,
  owner: string,
): void {
  const fail = (problem: string) => refusalFor(owner, `spec.bootstrap.config.${key}`, problem);
  if (Object.hasOwn(OWNED, key)) throw fail(`cannot be set here; accepted: ${OWNED[key]}`);
  const known = [...OWN, ...keys.cluster, ...keys.server, ...keys.node];
  if (known.includes(key)) return;
  const words = new Set(key.split('-'));
  const alike = known.filter((one) => one.split('-').some((word) => words.has(word)));
  // The complete list is too long for one line.
  const accepted = alike.length === 0 ? ['keys of its config.yaml', ...OWN] : alike.toSorted().slice(0, 8);
  const other = otherNameAt(schema, [key]);
  const meant = other === undefined ? didYouMean(key, known) : `; did you mean "${other}"?`;
  throw fail(`is not a key of ${name}; accepted: ${accepted.join(', ')}${meant}`);
}
