/** What k3s and RKE2 differ in; everything else about them is the same. */
import type { z } from 'zod';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Config } from './config.ts';

export type Role = Machine['spec']['role'];

/** What config.yaml says, by key. */
export type Settings = Readonly<Record<string, unknown>>;

export interface Distribution {
  /** The provider a claim names; also part of paths and of variables of the installer. */
  readonly name: string;
  readonly schema: z.ZodType<Config>;
  /** Its keys by whom they are about. */
  readonly keys: {
    readonly cluster: readonly string[];
    readonly server: readonly string[];
    readonly node: readonly string[];
  };
  /** Where joiners register: on the endpoint's host, at this port. */
  readonly joinPort: (apiPort: number) => number;
  /** The systemd unit, without .service. */
  readonly unit: (role: Role) => string;
  /** What only the machine that starts a cluster says. */
  readonly start: Settings;
  /** What nodes say that wait for the cloud's own controller manager, over the claim's settings. */
  readonly external: (role: Role, settings: Settings) => Settings;
  /** The command that installs it. @param version such as v1.35.4+k3s1. @param script the path of the official script */
  readonly install: (role: Role, version: string, script: string) => string;
  /** The same of what the image brings; undefined where that is ready to start. */
  readonly adopt: (role: Role) => string | undefined;
}

/** What all servers must say alike as long as the cluster lives. */
export function ofAllServers({ keys }: Distribution): readonly string[] {
  return ['encryptionAlgorithm', ...keys.cluster];
}
