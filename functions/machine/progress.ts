/** Progress of one call, for its report. */
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import type { MachineState } from './state.ts';
import type { Update } from './update.ts';

/** Known in every call. */
export interface Progress {
  readonly state: MachineState;
  readonly boot: FirstBoot | undefined;
  /** What the virtual machine waits for before it can be created or changed. */
  readonly waiting: string | undefined;
  /** Composition resource name of the virtual machine. */
  readonly machineKey: string;
}

/** Known once the objects of the cloud are planned. */
export interface Planned {
  /** Size of the first-boot data as sent to the cloud. */
  readonly bytes: number | undefined;
  /** Fields that the machine keeps until it is replaced. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
  /** Undefined: none was requested. */
  readonly update: Update | undefined;
  /** Why the cloud has not applied the released changes yet. */
  readonly unfinished: string | undefined;
  /** Why it will not; undefined: it tries again. */
  readonly failed?: string | undefined;
}
