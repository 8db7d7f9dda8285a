/** The provisioners there are, by the format a claim names. Adding one is its folder and its line here. */
import { refusal } from '#lib/api/refusal.ts';
import { cloudInit } from './cloud-init/cloud-init.ts';
import type { Provisioner } from './provisioner.ts';

const PROVISIONERS: Readonly<Record<string, Provisioner>> = {
  'cloud-init': cloudInit,
};

/** The claim's provisioner. Throws Unsupported, naming the formats there are. @param owner how to call the claim */
export function provisionerOf(format: string, owner: string): Provisioner {
  const found = Object.hasOwn(PROVISIONERS, format) ? PROVISIONERS[format] : undefined;
  if (found !== undefined) return found;
  const accepted = Object.keys(PROVISIONERS).toSorted().join(', ');
  throw refusal(owner, 'spec.provisioning.format', format, accepted, 'Unsupported');
}
