/** What a provisioner's folder does: it says a plan and a customisation in the words of what runs on first boot. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { Provisioning } from '#lib/api/fields/provisioning.ts';

export interface Order {
  readonly plan: BootstrapPlan;
  readonly customisation: Provisioning;
  /** How messages call the Machine. */
  readonly owner: string;
}

/** Renders first-boot data. Throws Unsupported, naming field and alternative, for what its format cannot say. */
export type Provisioner = (order: Order) => Payload;
