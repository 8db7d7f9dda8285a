/** An Ignition configuration of specification 3.3, as far as it is written here. */

export interface Resource {
  readonly source: string;
  readonly compression?: 'gzip';
}

export type Owner = { readonly name: string } | { readonly id: number };

export interface Node {
  readonly path: string;
  readonly overwrite?: boolean;
  readonly user?: Owner;
  readonly group?: Owner;
}

export interface IgnitionFile extends Node {
  /** Decimal in JSON. */
  readonly mode: number;
  readonly contents?: Resource;
  readonly append?: readonly Resource[];
}

export interface Link extends Node {
  readonly target: string;
}

export interface Partition {
  readonly number: number;
  readonly label?: string;
  /** Left out: the rest of the disk, and any size of a partition that exists. */
  readonly sizeMiB?: number;
}

export interface IgnitionDisk {
  readonly device: string;
  readonly wipeTable?: boolean;
  readonly partitions: readonly Partition[];
}

export interface IgnitionFilesystem {
  readonly device: string;
  /** Where Ignition itself mounts it while it writes files. */
  readonly path?: string;
  readonly format: string;
  readonly label?: string;
  readonly options?: readonly string[];
  readonly wipeFilesystem?: boolean;
}

export interface IgnitionUnit {
  readonly name: string;
  readonly enabled?: boolean;
  readonly contents?: string;
  readonly dropins?: readonly { readonly name: string; readonly contents: string }[];
}

export interface IgnitionUser {
  readonly name: string;
  readonly gecos?: string;
  readonly groups?: readonly string[];
  readonly shell?: string;
  readonly sshAuthorizedKeys?: readonly string[];
  readonly passwordHash?: string;
  readonly uid?: number;
  readonly primaryGroup?: string;
  readonly homeDir?: string;
  readonly system?: true;
  readonly noCreateHome?: true;
}

export interface Config {
  readonly ignition: { readonly version: string };
  readonly kernelArguments?: { readonly shouldExist: readonly string[] };
  readonly passwd?: {
    readonly users?: readonly IgnitionUser[];
    readonly groups?: readonly { readonly name: string; readonly gid?: number }[];
  };
  readonly storage: {
    readonly disks?: readonly IgnitionDisk[];
    readonly filesystems?: readonly IgnitionFilesystem[];
    readonly files: readonly IgnitionFile[];
    readonly links?: readonly Link[];
  };
  readonly systemd: { readonly units: readonly IgnitionUnit[] };
}
