/** What a cloud's folder does for the machine step; fn.ts knows no more about any cloud. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { FirstBoot } from './payload.ts';
import type { Situation } from './situation.ts';

export interface Address {
  readonly type: string;
  readonly address: string;
}

/** The virtual machine as the cloud tells. */
export interface VirtualMachine {
  /** The cloud's id; undefined until it gave one. */
  readonly id: string | undefined;
  readonly running: boolean;
  /** True when the cloud has ended it for good. */
  readonly ended: boolean;
  readonly failureDomain: string | undefined;
  readonly addresses: readonly Address[];
}

export interface Plan {
  /** By composition resource name: managed resources, and Secrets they refer to. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** Why the virtual machine, though it is among them, must not be made yet; undefined: it may, or it exists. */
  readonly awaits: string | undefined;
  /** What a person should know, and can do nothing about on this machine. */
  readonly notes: readonly string[];
  /** Size of the first-boot data as handed to the cloud; undefined when it can no longer be seen. */
  readonly bytes: number | undefined;
  /** Fields that differ from the claim because the cloud could change them only by stopping or replacing the machine. */
  readonly kept: readonly string[];
  /** Why the cloud does not yet have what an update in place released; undefined: it has. */
  readonly unfinished: string | undefined;
}

/** How far the machine is. */
export interface Stage {
  /** The cloud's first id of it. */
  readonly id: string | undefined;
  /** Whether its node registered, so that its first boot is over. */
  readonly registered: boolean;
  /** Whether what only a stopped machine can change may change now. */
  readonly released: boolean;
}

export interface Cloud {
  /** The composition resource name of the virtual machine. */
  readonly machineKey: string;
  /** Kinds that are not composed all the time: an override that finds none is no news. */
  readonly laterKinds: ReadonlySet<string>;
  /** Fields of a Machine that the cloud changes while the machine is stopped; an update in place releases them. */
  readonly resizable: ReadonlySet<string>;
  readonly plan: (situation: Situation, infrastructure: InfrastructureStatus, boot: FirstBoot, stage: Stage) => Plan;
  /** Throws InvalidObserved when the cloud's report makes no sense. */
  readonly read: (observed: KubeObject | undefined) => VirtualMachine;
}
