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
  /** Managed resources by composition resource name. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** Size of the first-boot data as handed to the cloud; undefined when it can no longer be seen. */
  readonly bytes: number | undefined;
  /** Fields that differ from the claim because the cloud could change them only by stopping or replacing the machine. */
  readonly kept: readonly string[];
}

export interface Cloud {
  /** The composition resource name of the virtual machine. */
  readonly machineKey: string;
  /** Kinds that may be composed later: an override that finds none yet is no news. */
  readonly laterKinds: ReadonlySet<string>;
  readonly plan: (
    situation: Situation,
    infrastructure: InfrastructureStatus,
    boot: FirstBoot,
    id: string | undefined,
  ) => Plan;
  /** Throws InvalidObserved when the cloud's report makes no sense. */
  readonly read: (observed: KubeObject | undefined) => VirtualMachine;
}
