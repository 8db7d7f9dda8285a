/** What a bootstrapper's folder does: what it makes once for a cluster, and how it turns one host into a node. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { World } from '#lib/fn/world.ts';
import type { BootstrapInput } from './input.ts';

export interface Call<Kind> {
  readonly request: Request;
  readonly reply: Reply;
  readonly world: World;
  readonly input: BootstrapInput;
  readonly composite: Kind;
  /** How messages call the XR. */
  readonly owner: string;
}

/** What must come before the plan can be made; one line for people. */
export interface Waiting {
  readonly waiting: string;
}

export interface Bootstrapper {
  /** Makes and keeps what the whole cluster shares, and reports it on the Cluster. */
  readonly forCluster: (call: Call<Cluster>) => Promise<void>;
  /**
   * The plan of one machine, or what it waits for. It asks for everything it needs at every call, so that what
   * is required does not change from call to call.
   */
  readonly forMachine: (call: Call<Machine>, cluster: Cluster) => BootstrapPlan | Waiting;
}
