/** The interface of a provisioner: it renders a plan and a customisation in its first-boot format. */
import type { BootstrapPlan, HostOs, PlanKind, PlanNeed } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';

export interface Order<Kind extends PlanKind = PlanKind> {
  readonly plan: Extract<BootstrapPlan, { readonly kind: Kind }>;
  readonly customisation: Customisation;
  /** Name of the Machine in messages. */
  readonly owner: string;
}

export interface Provisioner<Kind extends PlanKind = PlanKind> {
  /** Supported kinds of plan. */
  readonly takes: readonly Kind[];
  /** Operating system of its hosts, if they run commands; default: linux. */
  readonly os?: HostOs;
  /** What its hosts may have besides what all of them have. */
  readonly has?: readonly PlanNeed[];
  /** Fields of the customisation that it cannot express, each with an alternative. A claim that sets one is refused. */
  readonly limits: Readonly<Partial<Record<keyof Customisation, string>>>;
  /** Other formats whose `raw` fields it reads, because its data contains a part in them. */
  readonly raws?: readonly string[];
  /**
   * Renders first-boot data. Throws Unsupported, with field and alternative, for a value that its format cannot
   * express.
   */
  readonly render: (order: Order<Kind>) => Payload;
}
