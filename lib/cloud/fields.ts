/**
 * What each field of a Machine is made into: the ground that update rules stand on, and what a cloud's machine step keeps.
 * A cloud fills in its part; what its provider then does with a change is not believed but read from the cloud's `mutability.json`.
 */

/**
 * Node: provider-node changes it on the Node that runs. FirstBoot: only a first boot makes it so. Cloud: fields of the
 * cloud's object. Pool: only the pool itself goes by it. Birth: it says how the machine came to be, and is history then.
 */
export type Maker = 'Node' | 'FirstBoot' | 'Cloud' | 'Pool' | 'Birth';

export interface Field {
  /** Path below a Machine, with everything under it. */
  readonly path: string;
  readonly by: Maker;
  /** CEL that must hold for a change of it to be one the cloud makes. */
  readonly when?: string;
  /** Whether it says how large the machine is: the one thing a machine may be stopped for and started again. */
  readonly isSize?: boolean;
}

/** Every field of a Machine's spec but the order to update, which is no setting. */
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
  // A restart is a first boot of another machine.
  { path: 'spec.rolloutAfter', by: 'FirstBoot' },
  { path: 'spec.clusterRef', by: 'FirstBoot' },
  { path: 'spec.role', by: 'FirstBoot' },
  { path: 'spec.failureDomain', by: 'Cloud' },
  { path: 'spec.machine.os', by: 'FirstBoot' },
  { path: 'spec.machine.class', by: 'Cloud', isSize: true },
  { path: 'spec.machine.instanceType', by: 'Cloud', isSize: true },
  { path: 'spec.machine.image', by: 'Cloud' },
  { path: 'spec.machine.rootDisk.sizeGiB', by: 'Cloud', when: 'new > old' },
  { path: 'spec.machine.rootDisk.type', by: 'Cloud' },
  { path: 'spec.machine.rootDisk.encrypted', by: 'Cloud' },
  // What an override changes nobody here can tell, but for what a cloud calls live.
  { path: 'spec.infrastructure.overrides', by: 'FirstBoot' },
] as const satisfies readonly Field[];

/** Fields of a Machine that the cloud makes something of. */
export type CloudPath = Extract<(typeof FIELDS)[number], { readonly by: 'Cloud' }>['path'];

/** Replaces: the provider refuses it, so that it takes another machine. Stops: the machine is stopped and started again. Runs: it goes on running. */
export type Change = 'Replaces' | 'Stops' | 'Runs';

export interface MadeField {
  /** Of forProvider. */
  readonly field: string;
  /** The Machine's fields it is made of; none: of the Composition's input. */
  readonly of: readonly CloudPath[];
  /** What a change of it does. */
  readonly change: Change;
}

/** Fields of the virtual machine's forProvider that an override may change while the machine runs. */
export interface LiveFields {
  /** Composition resource name of the virtual machine. */
  readonly resource: string;
  /** The machine step always gives these a value, and it is back once no override names them. */
  readonly returning: readonly string[];
  /**
   * The machine step leaves these to the cloud, and the provider keeps what it once read: without the override an old
   * machine would keep its value and a new one would not have it. They can be added and changed, not taken away.
   */
  readonly lasting: readonly string[];
}

/** One cloud's part. */
export interface CloudFields {
  /** The virtual machine: group and kind, as in mutability.json. */
  readonly kind: string;
  /** What the machine step makes. */
  readonly made: readonly MadeField[];
  /** Other fields of forProvider whose change stops the machine, though the provider calls it a plain update. */
  readonly alsoStop: readonly string[];
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
