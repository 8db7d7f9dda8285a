/**
 * What each field of a Machine sets in the cloud: the basis of the update rules, and of what the machine step keeps.
 * Each cloud fills in its part; how its provider handles a change is read from `mutability.json` of the cloud.
 */

import type { DataDiskPlace } from '#lib/api/contracts/bootstrap-plan.ts';
import type { DataDisk, MachineShape } from '#lib/api/fields/machine-template.ts';
import type { JsonObject } from '#lib/api/json.ts';

/**
 * Node: provider-node changes it on the running Node. FirstBoot: only a first boot sets it. Cloud: fields of the cloud
 * object. Pool: only used by the pool. Birth: how the machine was created, which no longer matters.
 */
export type Maker = 'Node' | 'FirstBoot' | 'Cloud' | 'Pool' | 'Birth';

export interface Field {
  /** Path below a Machine, with everything under it. */
  readonly path: string;
  readonly by: Maker;
  /** CEL condition for changes that the cloud can make. */
  readonly when?: string;
  /** Whether it is the size of the machine: the only change for which a machine may be stopped and started again. */
  readonly isSize?: boolean;
  /** What its absence means: to say it, or no longer to say it, changes nothing in the cloud. */
  readonly absent?: string;
}

/** Every field of the spec of a Machine except spec.update, which is no setting. */
export const FIELDS = [
  { path: 'spec.labels', by: 'Node' },
  { path: 'spec.annotations', by: 'Node' },
  { path: 'spec.taints', by: 'Node' },
  { path: 'spec.drain', by: 'Node' },
  { path: 'spec.nodePoolRef', by: 'Pool' },
  { path: 'spec.bootstrap.action', by: 'Birth' },
  { path: 'spec.bootstrap.provider', by: 'FirstBoot' },
  { path: 'spec.bootstrap.config', by: 'FirstBoot' },
  { path: 'spec.provisioning', by: 'FirstBoot' },
  { path: 'spec.version', by: 'FirstBoot' },
  // A restart needs a new machine.
  { path: 'spec.rolloutAfter', by: 'FirstBoot' },
  { path: 'spec.clusterRef', by: 'FirstBoot' },
  { path: 'spec.role', by: 'FirstBoot' },
  { path: 'spec.failureDomain', by: 'Cloud' },
  { path: 'spec.machine.os', by: 'FirstBoot' },
  { path: 'spec.machine.class', by: 'Cloud', isSize: true },
  { path: 'spec.machine.instanceType', by: 'Cloud', isSize: true },
  { path: 'spec.machine.image', by: 'Cloud' },
  { path: 'spec.machine.capacityType', by: 'Cloud', absent: 'on-demand' },
  { path: 'spec.machine.rootDisk.sizeGiB', by: 'Cloud', when: 'new > old' },
  { path: 'spec.machine.rootDisk.type', by: 'Cloud' },
  { path: 'spec.machine.rootDisk.encrypted', by: 'Cloud' },
  { path: 'spec.machine.dataDisks', by: 'Cloud' },
  // The effect of an override is only known for the live fields of a cloud.
  { path: 'spec.infrastructure.overrides', by: 'FirstBoot' },
] as const satisfies readonly Field[];

/** Fields of a Machine that the cloud makes something of. */
export type CloudPath = Extract<(typeof FIELDS)[number], { readonly by: 'Cloud' }>['path'];

/**
 * Replaces: the provider refuses it, so a new machine is needed. Stops: the machine is stopped and started again. Runs:
 * the machine keeps running.
 */
export type Change = 'Replaces' | 'Stops' | 'Runs';

export interface MadeField {
  /** Of forProvider; of initProvider, if only the creation uses it. */
  readonly field: string;
  /** The fields of the Machine that set it; none: from the input of the Composition. */
  readonly of: readonly CloudPath[];
  /** What a change of it does. */
  readonly change: Change;
}

/** Fields of the virtual machine's forProvider that an override may change while the machine runs. */
export interface LiveFields {
  /** Composition resource name of the virtual machine. */
  readonly resource: string;
  /** The machine step always sets these, so their value is restored when no override sets them. */
  readonly returning: readonly string[];
  /**
   * The machine step does not set these, and the provider keeps a value once read: without the override an old machine
   * would keep its value and a new one would not have it. They can be added and changed, but not removed.
   */
  readonly lasting: readonly string[];
}

/** What makes a virtual machine a spot machine. */
export interface SpotFields {
  /** Of forProvider. */
  readonly fields: JsonObject;
  /** The path of the one among them that tells a spot machine from others. */
  readonly toldBy: readonly string[];
  /** Paths of older fields that make one, too. */
  readonly alsoToldBy?: readonly (readonly string[])[];
}

/** Fields of a claim that mean the same on every cloud, and that an override could say again. */
export type Said = Pick<MachineShape, 'capacityType' | 'dataDisks'>;

/** What an override sets that the claim says already. */
export interface SaidAlready {
  /** Below `spec` of the patch. */
  readonly path: string;
  /** What the machine of the claim says, as the end of a sentence: a field of it first. */
  readonly said: string;
}

/** How a host finds its data disks. */
export interface DataDiskDevices {
  /** Whether a device is one of them, or a partition of one. */
  readonly isOne: (device: string) => boolean;
  /** Of each, in the order of the claim. */
  readonly places: readonly DataDiskPlace[];
  /** Which they are: a sentence without its end. */
  readonly said: string;
}

/** One cloud's part. */
export interface CloudFields {
  /** The virtual machine: group and kind, as in mutability.json. */
  readonly kind: string;
  /** What the machine step makes. */
  readonly made: readonly MadeField[];
  /** Other fields of forProvider whose change stops the machine, though the provider calls it a plain update. */
  readonly alsoStop: readonly string[];
  /** Fields of forProvider that the cloud only reads when it creates the machine, though the provider calls a change a plain update. */
  readonly alsoReplaces?: readonly string[];
  /** What forProvider of a spot machine has; left out: the cloud sells none. */
  readonly spot?: SpotFields;
  /** Left out: it makes no data disks. */
  readonly dataDisks?: (disks: readonly Pick<DataDisk, 'name'>[]) => DataDiskDevices;
  /** What overrides may change on a machine that runs; left out: nothing. */
  readonly live?: LiveFields;
}

/** What a field of a Machine is made into. */
export function madeOf({ made }: CloudFields, path: string): readonly MadeField[] {
  return made.filter(({ of }) => of.some((one) => one === path));
}

/** Fields of forProvider whose change stops the machine and starts it again. */
export function stopping({ made, alsoStop }: CloudFields): readonly string[] {
  return [...made.filter(({ change }) => change === 'Stops').map(({ field }) => field), ...alsoStop];
}

/** Fields of a Machine that the cloud changes while the machine is stopped: an update in place orders them. */
export function resizable(fields: CloudFields): ReadonlySet<string> {
  const sizes: readonly Field[] = FIELDS.filter((field: Field) => field.isSize === true);
  return new Set(
    sizes
      .map(({ path }) => path)
      .filter((path) => {
        const made = madeOf(fields, path);
        return made.length > 0 && made.every(({ change }) => change === 'Stops');
      }),
  );
}
