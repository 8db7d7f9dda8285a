/** What a bootstrapper's folder does: what it makes once for a cluster, and how it turns one host into a node. */
import type { z } from 'zod';
import type { BootstrapPlan, HostOs, PlanKind, PlanNeed } from '#lib/api/contracts/bootstrap-plan.ts';
import type { NodeStart } from '#lib/api/contracts/node-start.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { NodeScript } from '#lib/fn/node-update.ts';
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
  /** Where somebody has to act; Waiting otherwise. */
  readonly reason?: 'Waiting' | 'WaitingForJoinToken';
}

/** What a bootstrapper reads from `spec.bootstrap.config`; published as a page and as JSON Schema. */
export interface ClaimConfig {
  /** Its fields, each with its meaning. */
  readonly schema: z.ZodType;
  /** Whose words they are, in a sentence or two of markdown. */
  readonly about: string;
  /** Fields of the whole cluster: a pool of workers may not say something else. All others are the machine's. */
  readonly ofTheCluster: readonly string[];
  /** The same, but read by each control plane for itself. */
  readonly ofControlPlanes?: readonly string[];
}

export interface Bootstrapper {
  /** The kind of plan it makes, which decides what can provision its machines. */
  readonly plan: PlanKind;
  /** Systems of the hosts it makes nodes of; left out, linux alone. Control planes are of Linux. */
  readonly os?: readonly HostOs[];
  /** What its plans need of a host beside what every host of that kind has; decides the same. */
  readonly needs?: readonly PlanNeed[];
  /** What a claim may tell it. */
  readonly config: ClaimConfig;
  /** Makes and keeps what the whole cluster shares, and reports it on the Cluster. Nobody looks at what it resolves to. */
  readonly forCluster: (call: Call<Cluster>) => Promise<unknown>;
  /**
   * The plan of one machine, or what it waits for. It asks for everything it needs at every call, so that what
   * is required does not change from call to call.
   */
  readonly forMachine: (call: Call<Machine>, cluster: Cluster) => BootstrapPlan | Waiting;
  /** What the node that starts the cluster is started by, where its first boot alone does not. @param cluster its name */
  readonly start?: (cluster: string) => NodeStart;
  /** How a node that exists gets what the Machine says now. Left out: only a new machine does. */
  readonly forUpdate?: (version: string) => NodeScript;
}
