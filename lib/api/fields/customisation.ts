/**
 * The customisation of a host with all its values: those of Secrets are in place of the references to them. A reference
 * remains as a mark that the value beside it is a secret.
 */
import type { DataDiskPlace } from '../contracts/bootstrap-plan.ts';
import type { DropIn, Filesystem, Registry, Unit } from './host.ts';
import type { Claimed, File } from './provisioning.ts';

export type FilledFile = File & { readonly content: string };

export type FilledUnit = Omit<Unit, 'dropIns'> & {
  readonly dropIns: readonly (DropIn & { readonly contents: string })[];
};

/** With `user:password`, if it refers to them. */
export type FilledRegistry = Registry & { readonly credentials?: string };

export interface FilledCommands {
  readonly pre: readonly string[];
  readonly preFrom: readonly string[];
  readonly post: readonly string[];
  readonly postFrom: readonly string[];
}

/** The filesystem of a data disk, and how the host finds the disk. */
export type DataDiskFilesystem = Omit<Filesystem, 'device' | 'wipe'> &
  DataDiskPlace & { readonly label: string; readonly sizeGiB: number };

export type Customisation = Omit<Claimed, 'files' | 'units' | 'commands' | 'registries'> & {
  readonly files: readonly FilledFile[];
  readonly units: readonly FilledUnit[];
  readonly commands: FilledCommands;
  readonly registries: readonly FilledRegistry[];
  /** Apart from filesystems, which have a device of the host. */
  readonly dataDisks: readonly DataDiskFilesystem[];
};
