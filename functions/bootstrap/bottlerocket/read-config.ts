/** Reads `spec.bootstrap.config`; for settings that a claim cannot set here, the error says where they are set. */
import { at, isJsonObject } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { readClaimConfig } from '../claim-config.ts';
import { BottlerocketConfig } from './config.ts';

const EKS = 'nothing, since EKS provides it';
const OWN = 'nothing, since Bottlerocket sets it on EKS';
const PROVISIONING = 'spec.provisioning';
const RAW = 'spec.provisioning.raw.bottlerocket';

const OWNED_GROUPS: Readonly<Record<string, string>> = {
  boot: PROVISIONING,
  'bootstrap-containers': RAW,
  'container-registry': PROVISIONING,
  'host-containers': RAW,
  kernel: PROVISIONING,
  motd: RAW,
  network: PROVISIONING,
  ntp: PROVISIONING,
  pki: PROVISIONING,
};

const OWNED_KEYS: Readonly<Record<string, string>> = {
  'api-server': EKS,
  'authentication-mode': OWN,
  'bootstrap-token': OWN,
  'cloud-provider': OWN,
  'cluster-certificate': EKS,
  'cluster-domain': 'spec.network.dnsDomain of the Cluster',
  'cluster-name': 'the name of the Cluster',
  'hostname-override': 'hostname-override-source, since EKS accepts no other names',
  'node-labels': 'spec.labels',
  'node-taints': 'spec.taints',
  'provider-id': OWN,
  'server-tls-bootstrap': OWN,
  'standalone-mode': OWN,
};

/** Throws InvalidClaim naming the field by its place in the claim. Values are not quoted. */
export function readConfig(config: unknown, owner: string): BottlerocketConfig {
  refuseOwned(config, OWNED_GROUPS, '', owner);
  refuseOwned(at(config, 'kubernetes'), OWNED_KEYS, 'kubernetes.', owner);
  return readClaimConfig(BottlerocketConfig, config, owner);
}

function refuseOwned(settings: unknown, owned: Readonly<Record<string, string>>, place: string, owner: string): void {
  const found = isJsonObject(settings) ? Object.keys(settings).find((key) => Object.hasOwn(owned, key)) : undefined;
  if (found === undefined) return;
  throw refusalFor(owner, `spec.bootstrap.config.${place}${found}`, `cannot be set here; accepted: ${owned[found]}`);
}
