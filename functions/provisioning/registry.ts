/**
 * The provisioners, by the format in a claim. To add one: its folder, a line here and a line in traits.ts; the compiler
 * refuses one line without the other.
 */
import { own } from '#lib/api/json.ts';
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { refusal } from '#lib/api/refusal.ts';
import { bottlerocket } from './bottlerocket/bottlerocket.ts';
import { cloudInit } from './cloud-init/cloud-init.ts';
import { cloudbaseInit } from './cloudbase-init/cloudbase-init.ts';
import { ignition, legacyIgnition } from './ignition/ignition.ts';
import { nodeadm } from './nodeadm/nodeadm.ts';
import type { Provisioner } from './provisioner.ts';
import { talos } from './talos/talos.ts';
import { type Format, refuseFormat } from './traits.ts';

export const PROVISIONERS: Readonly<Record<string, Provisioner>> = {
  bottlerocket: bottlerocket as Provisioner,
  'cloud-init': cloudInit as Provisioner,
  'cloudbase-init': cloudbaseInit as Provisioner,
  ignition: ignition as Provisioner,
  'ignition-2.3': legacyIgnition as Provisioner,
  nodeadm: nodeadm as Provisioner,
  talos: talos as Provisioner,
} satisfies Readonly<Record<Format, Provisioner>>;

/**
 * The provisioner of the claim. Throws Unsupported with the list of formats.
 * @param owner name of the claim in messages
 */
export function provisionerOf(format: string, owner: string): Provisioner {
  const found = own(PROVISIONERS, format);
  if (found !== undefined) return found;
  const accepted = Object.keys(PROVISIONERS).toSorted();
  throw refusal(owner, 'spec.provisioning.format', format, accepted, 'Unsupported');
}

/** Throws Unsupported with the formats that can express such a plan. */
export function refusePair(format: string, plan: BootstrapPlan, owner: string): void {
  const { kind, provider } = plan;
  const { os, needs = [] } = kind === 'scripted' ? plan : {};
  refuseFormat(format, { provider, plan: { kind, needs }, os }, owner);
}
