/** The interface of a provisioner: it renders a plan and a customisation in its first-boot format. */
import type { BootstrapPlan, PlanKind } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { ExpressesTrait } from '#lib/cloud/traits.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';

export interface Order<Kind extends PlanKind = PlanKind> {
  readonly plan: Extract<BootstrapPlan, { readonly kind: Kind }>;
  readonly customisation: Customisation;
  /** Whether the machine starts its cluster. Left out: it joins. */
  readonly action?: 'Init' | 'Join';
  /** Name of the Machine in messages. */
  readonly owner: string;
}

/** What it can express is in its traits. */
export interface Provisioner<Kind extends PlanKind = PlanKind> extends ExpressesTrait {
  /** Supported kinds of plan. */
  readonly takes: readonly Kind[];
  /**
   * Renders first-boot data. Throws Unsupported, with field and alternative, for a value that its format cannot
   * express.
   */
  readonly render: (order: Order<Kind>) => Payload;
}
