/**
 * A Cluster with the control plane of EKS, with the status that its infrastructure reports, and its machines. Nothing
 * in it is a secret.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aCluster, INFRASTRUCTURE } from './claims.ts';
import { CERTIFICATE } from './everything.ts';
import type { Bootstrapped } from './first-boot.ts';
import { machineOf } from './first-boot.ts';

export const EKS_PROVIDERS = ['nodeadm', 'bottlerocket'] as const;
export type EksProvider = (typeof EKS_PROVIDERS)[number];

export const EKS_ENDPOINT = { host: 'FAKE0123456789.gr7.eu-west-1.eks.amazonaws.com', port: 443 };

/** PEM in base64, as EKS reports it; not a real certificate. */
export const EKS_AUTHORITY = Buffer.from(CERTIFICATE).toString('base64');

export function eksStatus(): JsonObject {
  return {
    infrastructure: INFRASTRUCTURE,
    controlPlaneEndpoint: EKS_ENDPOINT,
    certificateAuthority: EKS_AUTHORITY,
    controlPlane: { initialized: true, version: 'v1.35.4' },
  };
}

export function anEksCluster(
  provider: string,
  parts: { readonly config?: JsonObject; readonly spec?: JsonObject; readonly status?: JsonObject } = {},
): Bootstrapped {
  const { config = {}, spec, status = eksStatus() } = parts;
  return { cluster: aCluster({ spec: { ...spec, bootstrap: { provider, config } }, status }), secrets: {} };
}

/** A worker of that Cluster, in the format of its provider. */
export function anEksMachine(provider: EksProvider, spec: JsonObject = {}, config: JsonObject = {}): KubeObject {
  return machineOf('worker', { provisioning: { format: provider }, ...spec }, config, provider);
}
