/**
 * What other steps must know about each provisioner: one line per format, from its own folder. Other functions import
 * this file and nothing else of the provisioning step.
 */
import type { HostOs } from '#lib/api/contracts/bootstrap-plan.ts';
import { own } from '#lib/api/json.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { canExpress } from '#lib/cloud/expressible.ts';
import type { NewCluster } from '#lib/cloud/planned-files.ts';
import type { PlanTrait, ProvisionerTraits } from '#lib/cloud/traits.ts';
import { traits as bottlerocket } from './bottlerocket/traits.ts';
import { traits as cloudInit } from './cloud-init/traits.ts';
import { traits as cloudbaseInit } from './cloudbase-init/traits.ts';
import { legacyTraits as legacyIgnition, traits as ignition } from './ignition/traits.ts';
import { traits as nodeadm } from './nodeadm/traits.ts';
import { traits as talos } from './talos/traits.ts';

const OURS = {
  bottlerocket,
  'cloud-init': cloudInit,
  'cloudbase-init': cloudbaseInit,
  ignition,
  'ignition-2.3': legacyIgnition,
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
export function payloadTraits(payload: string): Omit<ProvisionerTraits, 'expresses'> {
  const ours = Object.values(PROVISIONER_TRAITS).find((traits) => traits.payload === payload);
  return ours ?? { payload, contentType: 'application/octet-stream', fetchedWhole: false, joinSecrets: true };
}

const FIELD = 'spec.provisioning.format';

/** The plan that a format is to express. */
export interface Pairing {
  readonly provider: string;
  /** undefined: the plans of the bootstrapper are not known. */
  readonly plan: PlanTrait | undefined;
  readonly os?: HostOs | undefined;
  /** Of the machines; left out: only what those of both roles have is judged. */
  readonly role?: 'control-plane' | 'worker';
  /** Left out: it exists. */
  readonly newCluster?: NewCluster | undefined;
}

/**
 * Throws Unsupported for a format that nobody writes, and for one that cannot express the plans of the bootstrapper.
 * @param others formats of another provisioning step, as the platform lists them
 */
export function refuseFormat(
  format: string,
  { provider, plan, os }: Pairing,
  owner: string,
  others: readonly string[] = [],
): void {
  if (others.includes(format)) return;
  const traits = own(PROVISIONER_TRAITS, format);
  if (traits === undefined)
    throw refusal(owner, FIELD, format, [...Object.keys(PROVISIONER_TRAITS), ...others].toSorted(), 'Unsupported');
  if (plan === undefined || canExpress(traits.expresses, plan.kind, plan.needs, os)) return;
  const accepted = formatsFor(plan, os).map(([name]) => name);
  throw refusalFor(
    owner,
    FIELD,
    `"${format}" cannot start ${provider}${os === 'windows' ? ' on Windows' : ''}; accepted: ${accepted.join(', ')}`,
    'Unsupported',
  );
}

/** Those of ours that can express the plans of a bootstrapper, in order; of one that nobody knows, none. */
export function formatsFor(
  plan: Pairing['plan'],
  os: Pairing['os'],
): readonly (readonly [name: string, traits: ProvisionerTraits])[] {
  if (plan === undefined) return [];
  return Object.entries(PROVISIONER_TRAITS)
    .filter(([, { expresses }]) => canExpress(expresses, plan.kind, plan.needs, os))
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** Whether secrets of a cloud deliver what is secret of it. */
export function isDelivered({
  fetchedWhole,
  apart = false,
}: Pick<ProvisionerTraits, 'fetchedWhole' | 'apart'>): boolean {
  return fetchedWhole || apart;
}
