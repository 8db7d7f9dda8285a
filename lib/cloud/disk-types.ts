/** Types of disks that a cloud has, and what each needs to be made: a claim for one that cannot be is refused. */
import type { Override } from '#lib/api/fields/infrastructure.ts';
import { at, type Json } from '#lib/api/json.ts';

export type DiskPlace = 'root' | 'data';

export interface DiskType {
  readonly smallestGiB?: number;
  readonly largestGiB?: number;
  /** Of the virtual machine: without it the cloud makes no such disk, and only an override sets it. */
  readonly needs?: NeededField;
}

interface NeededField {
  readonly kind: string;
  /** Below forProvider, in order. */
  readonly path: readonly string[];
}

/** By name. A type that is only in one place cannot be in the other, whatever a platform allows. */
export interface DiskTypes {
  /** Of the disk that a machine boots from. */
  readonly root: Readonly<Record<string, DiskType>>;
  readonly data: Readonly<Record<string, DiskType>>;
  /** Of a disk that a machine boots from, of any type. */
  readonly smallestRootGiB?: number;
}

export interface DiskFault {
  /** Of the disk. */
  readonly field: 'type' | 'sizeGiB';
  readonly value: Json;
  readonly accepted: string;
}

const NONE: Readonly<Record<DiskPlace, string>> = {
  root: 'none, since no machine boots from those that limits.diskTypes allows',
  data: 'none, since those that limits.diskTypes allows are of root disks',
};

interface Disk {
  readonly sizeGiB: number;
  readonly type?: string | undefined;
}

/**
 * Why the cloud cannot make a disk of a type that it has; undefined if it can, or if the type is not known.
 * @param isAllowed  by the platform, so that a message names no other
 */
export function diskFault(
  { type, sizeGiB }: Disk,
  place: DiskPlace,
  types: DiskTypes,
  overrides: readonly Override[],
  isAllowed: (type: string) => boolean,
): DiskFault | undefined {
  const here = new Map(Object.entries(types[place]));
  const elsewhere = new Map(Object.entries(types[place === 'root' ? 'data' : 'root']));
  const known = type === undefined ? undefined : here.get(type);
  const others = [...here].filter(([name, { needs }]) => needs === undefined && isAllowed(name)).map(([name]) => name);
  if (type !== undefined && known === undefined && elsewhere.has(type))
    return { field: 'type', value: type, accepted: others.join(', ') || NONE[place] };
  if (type !== undefined && known?.needs !== undefined && !isGiven(known.needs, overrides)) {
    const { kind, path } = known.needs;
    const withField = `${type} with an override of spec.forProvider.${path.join('.')} of ${kind}`;
    return { field: 'type', value: type, accepted: [...others, withField].join(', ') };
  }
  const smallest = Math.max(known?.smallestGiB ?? 0, place === 'root' ? (types.smallestRootGiB ?? 0) : 0);
  const ofType = ` for type ${type}`;
  if (sizeGiB < smallest)
    return {
      field: 'sizeGiB',
      value: sizeGiB,
      accepted: `at least ${smallest}${known?.smallestGiB === smallest ? ofType : ''}`,
    };
  if (known?.largestGiB !== undefined && sizeGiB > known.largestGiB)
    return { field: 'sizeGiB', value: sizeGiB, accepted: `at most ${known.largestGiB}${ofType}` };
  return undefined;
}

function isGiven({ kind, path }: NeededField, overrides: readonly Override[]): boolean {
  return overrides.some(
    (override) =>
      override.kind === kind &&
      ['forProvider', 'initProvider'].some((part) => {
        const value = at(override.patch, 'spec', part, ...path);
        return value !== undefined && value !== null && value !== false;
      }),
  );
}
