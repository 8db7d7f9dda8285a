/** The interface of a cloud for the machine step; the function knows nothing else about clouds. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine, MachineStatus } from '#lib/api/kinds/machine.ts';
import type { Overridable } from '#lib/fn/overridable.ts';
import type { FirstBoot } from './first-boot.ts';
import type { NeutralMachineInput } from './machine-input.ts';
import type { ProviderIDValues } from './provider-id.ts';
import type { HasInput } from './registry.ts';
import type { CloudSituation } from './situation.ts';

/** The input of a call: the Machine, the input of the Composition, observed resources, the status of earlier calls. */
export interface MachineSituation<Input = NeutralMachineInput> extends CloudSituation<Input> {
  readonly machine: Machine;
  /** The status an earlier call wrote. */
  readonly previous: MachineStatus;
}

export interface Address {
  readonly type: string;
  readonly address: string;
}

/** The virtual machine as reported by the cloud. */
export interface VirtualMachine {
  /** The cloud's id; undefined until it gave one. */
  readonly id: string | undefined;
  readonly running: boolean;
  /** True if the cloud has terminated it. */
  readonly ended: boolean;
  /**
   * Its provider did not find it and makes another one, with what the provider says about that. The provider may have
   * looked in the wrong place: the machine is lost only if its node is not ready either.
   */
  readonly notFound?: { readonly message: string | undefined } | undefined;
  readonly failureDomain: string | undefined;
  /**
   * Values of its provider id besides or instead of its id and failure domain, which are `instanceId` and
   * `failureDomain`: a name, or the id in another case. A value that is listed but undefined is waited for.
   */
  readonly providerIDValues: ProviderIDValues;
  /** As the cloud reports it; undefined until it does, and while it is being changed. */
  readonly instanceType: string | undefined;
  /**
   * The message of the cloud if it could not create the machine because the failure domain has no capacity; the same on
   * every attempt. Undefined: it was created, or something else is wrong.
   */
  readonly noCapacity: string | undefined;
  readonly addresses: readonly Address[];
}

/** A virtual machine that nobody has observed yet. */
export const ABSENT: VirtualMachine = {
  id: undefined,
  running: false,
  ended: false,
  failureDomain: undefined,
  providerIDValues: {},
  instanceType: undefined,
  noCapacity: undefined,
  addresses: [],
};

export interface MachinePlan {
  /** By composition resource name: managed resources, and Secrets they refer to. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** Why the virtual machine, though it is among them, must not be made yet; undefined: it may, or it exists. */
  readonly blockedBy: string | undefined;
  /** Notes for people who cannot change anything about it on this machine. */
  readonly notes: readonly string[];
  /** Size of the first-boot data as handed to the cloud; undefined when it can no longer be seen. */
  readonly bytes: number | undefined;
  /**
   * Fields that differ from the claim because the cloud could change them only by stopping or replacing the machine.
   */
  readonly kept: readonly string[];
  /** Why the cloud has not applied released changes yet; undefined: it has. */
  readonly unfinished: string | undefined;
  /** Why its provider will not finish them: it stopped the machine, and leaves it off. Left out: it tries again. */
  readonly failed?: string | undefined;
}

/** Progress of the machine. */
export interface MachineProgress {
  /** The cloud's first id of it. */
  readonly id: string | undefined;
  /** Whether its node registered, so that its first boot is over. */
  readonly registered: boolean;
  /** Whether what only a stopped machine can change may change now. */
  readonly released: boolean;
}

/** @typeParam Input  the neutral input and this cloud's own section */
export interface MachineCloud<Input> extends HasInput {
  /** The composition resource name of the virtual machine. */
  readonly machineKey: string;
  /** Kinds that are not composed all the time: an override that finds none is no news. */
  readonly laterKinds: ReadonlySet<string>;
  /** What claims may override when the Composition does not say it. */
  readonly overridable: Overridable;
  /**
   * Whether it composes this object only temporarily, so that its removal is intended.
   * @param key its composition resource name
   */
  readonly comesAndGoes: (key: string) => boolean;
  /** Fields of a Machine that the cloud changes while the machine is stopped; an update in place releases them. */
  readonly resizable: ReadonlySet<string>;
  readonly plan: (
    situation: MachineSituation<Input>,
    infrastructure: InfrastructureStatus,
    boot: FirstBoot,
    stage: MachineProgress,
  ) => MachinePlan;
  /**
   * The virtual machine, read from all observed objects together: some clouds report addresses on a network interface.
   * Throws InvalidObserved for invalid reports.
   */
  readonly read: (observed: ReadonlyMap<string, KubeObject>) => VirtualMachine;
}

/** By the name in a Composition. Only the cloud itself knows its section of the input. */
export type MachineClouds = Readonly<Record<string, MachineCloud<never>>>;
