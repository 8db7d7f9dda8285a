/** The differences between k3s and RKE2; everything else is the same. */
import type { z } from 'zod';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Config } from './config.ts';

export type Role = Machine['spec']['role'];

/** The contents of config.yaml, by key. */
export type Settings = Readonly<Record<string, unknown>>;

export interface Distribution {
  /** The provider in a claim; also part of paths and of variables of the installer. */
  readonly name: string;
  readonly schema: z.ZodType<Config>;
  /** Its keys by scope. */
  readonly keys: {
    readonly cluster: readonly string[];
    readonly server: readonly string[];
    readonly node: readonly string[];
  };
  /** Port on the host of the endpoint where machines join. */
  readonly joinPort: (apiPort: number) => number;
  /** The systemd unit, without .service. */
  readonly unit: (role: Role) => string;
  /** Settings of the machine that starts the cluster. */
  readonly start: Settings;
  /** The benchmark of the claim, which the service checks when it starts; not set: it has no such setting. */
  readonly benchmark?: (config: Config) => 'cis' | 'etcd' | undefined;
  /** Settings of nodes that wait for a cloud controller manager, merged over those of the claim. */
  readonly external: (role: Role, settings: Settings) => Settings;
  /**
   * The command that installs it.
   * @param version such as v1.37.1+k3s1.
   * @param script the path of the official script
   */
  readonly install: (role: Role, version: string, script: string) => string;
  /** The same if it is part of the image; undefined if it is ready to start. */
  readonly adopt: (role: Role) => string | undefined;
}

/** Of config.yaml. */
export function configFolder({ name }: Distribution): string {
  return `/etc/rancher/${name}`;
}

/** Keys that must be the same on all servers for the life of the cluster. */
export function ofAllServers({ keys }: Pick<Distribution, 'keys'>): readonly string[] {
  return ['encryptionAlgorithm', ...keys.cluster];
}
