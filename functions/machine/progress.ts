/** How far one call got, for what it reports. */
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import type { Life } from './life.ts';
import type { Update } from './update.ts';

/** What every call can say. */
export interface Progress {
  readonly life: Life;
  readonly boot: FirstBoot | undefined;
  /** What must be there before the virtual machine can be made or changed. */
  readonly waiting: string | undefined;
  /** Composition resource name of the virtual machine. */
  readonly machineKey: string;
}

/** What is known besides once the cloud's objects are planned. */
export interface Planned {
  /** Size of the first-boot data as handed to the cloud. */
  readonly bytes: number | undefined;
  /** Fields that the machine keeps until it is replaced. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
  /** Undefined: none was ordered. */
  readonly update: Update | undefined;
  /** Why the cloud has not what the update released. */
  readonly unfinished: string | undefined;
}
