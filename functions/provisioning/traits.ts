/**
 * What other steps must know about each provisioner: one line per format, from its own folder. Other functions import
 * this file and nothing else of the provisioning step.
 */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';
import { traits as bottlerocket } from './bottlerocket/traits.ts';
import { traits as cloudInit } from './cloud-init/traits.ts';
import { traits as cloudbaseInit } from './cloudbase-init/traits.ts';
import { traits as ignition } from './ignition/traits.ts';
import { traits as nodeadm } from './nodeadm/traits.ts';
import { traits as talos } from './talos/traits.ts';

const OURS = {
  bottlerocket,
  'cloud-init': cloudInit,
  'cloudbase-init': cloudbaseInit,
  ignition,
  'ignition-2.3': ignition,
  nodeadm,
  talos,
} satisfies Readonly<Record<string, ProvisionerTraits>>;

export type Format = keyof typeof OURS;

export const PROVISIONER_TRAITS: Readonly<Record<string, ProvisionerTraits>> = OURS;

/**
 * By the format of a payload, not of a claim: stored data has no other name, and a replacement of this step may use a
 * name of ours for another format.
 * @param payload `format` of a payload, ours or that of a third party
 */
export function payloadTraits(payload: string): ProvisionerTraits {
  const ours = Object.values(PROVISIONER_TRAITS).find((traits) => traits.payload === payload);
  return ours ?? { payload, contentType: 'application/octet-stream', fetchedWhole: false, joinSecrets: true };
}
