/** What a cloud does for the machine step; the function knows no more about any cloud. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine, MachineStatus } from '#lib/api/kinds/machine.ts';
import type { FirstBoot } from './first-boot.ts';
import type { NeutralMachineInput } from './machine-input.ts';
import type { ProviderIDValues } from './provider-id.ts';
import type { HasInput } from './registry.ts';
import type { CloudSituation } from './situation.ts';

/** Everything a call decides from: the Machine, the Composition's input, what is observed, what an earlier call told. */
export interface MachineSituation<Input = NeutralMachineInput> extends CloudSituation<Input> {
  readonly machine: Machine;
  /** The status an earlier call wrote. */
  readonly previous: MachineStatus;
}

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
  /**
   * What its provider id is written with beside its id and its failure domain, which are `instanceId` and `failureDomain`, or
   * instead of them: a name, or the id in another case. Named with undefined, a value is waited for.
   */
  readonly providerIDValues: ProviderIDValues;
  /** As the cloud reports it; undefined until it does, and while it is being changed. */
  readonly instanceType: string | undefined;
  /**
   * The cloud's own line when it did not make the machine because the failure domain has no room for one of its kind;
   * the same words at every try. Undefined: it did, or something else is the matter.
   */
  readonly noCapacity: string | undefined;
  readonly addresses: readonly Address[];
}

export interface MachinePlan {
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

/** @typeParam Input  the neutral input and this cloud's own section */
export interface MachineCloud<Input> extends HasInput {
  /** The composition resource name of the virtual machine. */
  readonly machineKey: string;
  /** Kinds that are not composed all the time: an override that finds none is no news. */
  readonly laterKinds: ReadonlySet<string>;
  /** Whether it composes such an object for a while only: what goes then goes on purpose. @param key  its composition resource name */
  readonly comesAndGoes: (key: string) => boolean;
  /** Fields of a Machine that the cloud changes while the machine is stopped; an update in place releases them. */
  readonly resizable: ReadonlySet<string>;
  readonly plan: (
    situation: MachineSituation<Input>,
    infrastructure: InfrastructureStatus,
    boot: FirstBoot,
    stage: Stage,
  ) => MachinePlan;
  /**
   * The virtual machine as all observed objects tell together: some clouds tell addresses on a network interface.
   * Throws InvalidObserved when the cloud's report makes no sense.
   */
  readonly read: (observed: ReadonlyMap<string, KubeObject>) => VirtualMachine;
}

/** By the name a Composition says. What a cloud's own section of the input is only that cloud knows. */
export type MachineClouds = Readonly<Record<string, MachineCloud<never>>>;
