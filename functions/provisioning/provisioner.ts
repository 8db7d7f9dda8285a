/** What a provisioner's folder does; the registry below is the one line that adds it. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { Provisioning } from '#lib/api/fields/provisioning.ts';
import { refusal } from '#lib/api/refusal.ts';
import { cloudInit } from './cloud-init/cloud-init.ts';

export interface Order {
  readonly plan: BootstrapPlan;
  readonly customisation: Provisioning;
  /** How messages call the Machine. */
  readonly owner: string;
}

/** Renders first-boot data. Throws Unsupported, naming field and alternative, for what its format cannot say. */
export type Provisioner = (order: Order) => Payload;

const PROVISIONERS: Readonly<Record<string, Provisioner>> = { 'cloud-init': cloudInit };

export function provisionerOf(format: string, owner: string): Provisioner {
  const found = Object.hasOwn(PROVISIONERS, format) ? PROVISIONERS[format] : undefined;
  if (found !== undefined) return found;
  throw refusal(
    owner,
    'spec.provisioning.format',
    format,
    Object.keys(PROVISIONERS).toSorted().join(', '),
    'Unsupported',
  );
}
