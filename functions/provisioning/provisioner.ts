/** What a provisioner's folder does: it says a plan and a customisation in the words of what runs on first boot. */
import type { BootstrapPlan, HostOs, PlanKind, PlanNeed } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { Customisation } from '#lib/api/fields/provisioning.ts';

export interface Order<Kind extends PlanKind = PlanKind> {
  readonly plan: Extract<BootstrapPlan, { readonly kind: Kind }>;
  readonly customisation: Customisation;
  /** How messages call the Machine. */
  readonly owner: string;
}

export interface Provisioner<Kind extends PlanKind = PlanKind> {
  /** Kinds of plan it can say. */
  readonly takes: readonly Kind[];
  /** Of its hosts, where they run commands; left out, linux. */
  readonly os?: HostOs;
  /** What its hosts may have beside what all of them have. */
  readonly has?: readonly PlanNeed[];
  /** Fields of the customisation it has no words for, each with what to do instead. A claim that sets one is refused. */
  readonly limits: Readonly<Partial<Record<keyof Customisation, string>>>;
  /** Formats besides its own whose words of `raw` it reads, since it holds a part in them. */
  readonly raws?: readonly string[];
  /** Renders first-boot data. Throws Unsupported, naming field and alternative, for a value its format cannot say. */
  readonly render: (order: Order<Kind>) => Payload;
}
