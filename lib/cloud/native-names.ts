/** How a cloud's own names look: claims may use them in place of neutral ones, and a typo is not one of them. */
import type { Architecture } from './architecture.ts';
import type { DiskTypes } from './disk-types.ts';

export interface NativeName {
  readonly pattern: RegExp;
  /** For messages, with the cloud and an example. */
  readonly accepted: string;
}

/** How the zones of a region are called. */
export interface ZoneNames {
  readonly isOf: (zone: string, region: string) => boolean;
  readonly example: (region: string) => string;
  /** Those of a region that the Composition does not list. */
  readonly usual: (region: string) => readonly string[];
}

export interface NativeNames {
  readonly instanceType: NativeName;
  /** Of an instance type; undefined: not known. Not set: images of any architecture boot on every size. */
  readonly architectureOf?: (instanceType: string) => Architecture | undefined;
  readonly image: NativeName;
  readonly region: NativeName;
  /** Types of disks that the cloud has; not set: any word is taken as it is. */
  readonly diskTypes?: DiskTypes;
  /** Not set: any word is taken as it is. */
  readonly zone?: ZoneNames;
  /** Stands for every region in the images of a catalog; not set: an image is in one region. */
  readonly everywhere?: string;
}
