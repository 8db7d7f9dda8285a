/** The interface of a bootstrapper: what it creates once for a cluster, and how it turns one host into a node. */
import type { z } from 'zod';
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { NodeStart } from '#lib/api/contracts/node-start.ts';
import type { JoinKind } from '#lib/api/fields/join.ts';
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
  /** Name of the XR in messages. */
  readonly owner: string;
}

export interface MachineCall extends Call<Machine> {
  /** The token by which this machine joins; the cluster does not know it yet. Every use gets the same token. */
  readonly joinToken: () => string;
}

/** What the plan waits for; one line for people. */
export interface Waiting {
  readonly waiting: string;
  /** Set if a person has to act; default: Waiting. */
  readonly reason?: 'Waiting' | 'WaitingForJoinToken' | 'WaitingForSecret';
}

/** What a bootstrapper reads from `spec.bootstrap.config`; published as a page and as JSON Schema. */
export interface ClaimConfig {
  /** Its fields, each with its meaning. */
  readonly schema: z.ZodType;
  /** Which fields they are, in a sentence or two of markdown. */
  readonly about: string;
  /** Fields of the whole cluster: a worker pool may not set other values. All other fields belong to the machine. */
  readonly ofTheCluster: readonly string[];
  /** The same, but only control planes read them. */
  readonly ofControlPlanes?: readonly string[];
}

export interface MachineJoin {
  /** A token that the cluster makes is asked for before the plan, and comes back as the Secret of the machine. */
  readonly kind: JoinKind;
}

export interface Bootstrapper {
  /** What a claim can set for it. */
  readonly config: ClaimConfig;
  /** Creates and keeps what the whole cluster shares, and reports it on the Cluster. The returned value is ignored. */
  readonly forCluster: (call: Call<Cluster>) => Promise<unknown>;
  /**
   * The plan of one machine, or what it waits for. It requires everything it needs on every call, so that the
   * requirements do not change from call to call.
   */
  readonly forMachine: (call: MachineCall, cluster: Cluster) => BootstrapPlan | Waiting;
  /** The call that starts the cluster, if the first boot of the first node does not. @param cluster its name */
  readonly start?: (cluster: string) => NodeStart;
  /** The token by which a machine joins; undefined: it joins in another way, or starts its cluster without one. */
  readonly join?: (machine: Machine) => MachineJoin | undefined;
  /**
   * Scripts that bring changes of the Machine to a node that exists, each for its fields; which changes those are is in
   * its traits. If not set, only new machines get them.
   */
  readonly forUpdate?: (call: UpdateCall) => readonly NodeScript[];
}

export interface UpdateCall {
  /** With the values of Secrets that its registries refer to. */
  readonly machine: Machine;
  readonly cluster: Cluster;
  /** Name of the Machine in messages. */
  readonly owner: string;
}
