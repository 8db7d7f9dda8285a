/** Where the plan of a bootstrapper writes files, by what a claim says: known before there is a machine. */
import { minor } from 'semver';
import type { HostOs } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { at, isJsonObject } from '#lib/api/json.ts';
import type { PlanTrait, WrittenFile } from './traits.ts';

export interface PlannedFor {
  readonly os: HostOs;
  /** Left out: only files of both roles are known. */
  readonly role?: 'control-plane' | 'worker' | undefined;
  /** Of a new cluster; left out: what an earlier release made is not known. */
  readonly newCluster?: NewCluster | undefined;
}

export interface NewCluster {
  /** `spec.bootstrap.config`. */
  readonly config: unknown;
  readonly version: string;
}

export function plannedPaths(
  plan: PlanTrait | undefined,
  claimed: Pick<Claimed, 'registries' | 'proxy'>,
  { os, role, newCluster }: PlannedFor,
): readonly string[] {
  return (plan?.writes ?? [])
    .filter((file) => (file.role ?? role) === role && (file.os ?? os) === os && isWritten(file, newCluster))
    .flatMap((file) => pathsOf(file, claimed));
}

function pathsOf({ path, with: setting }: WrittenFile, { registries, proxy }: Pick<Claimed, 'registries' | 'proxy'>) {
  if (setting === undefined) return [path];
  if (setting === 'proxy') return proxy === undefined ? [] : [path];
  return registries.flatMap(({ host, caCertificate }, index) =>
    setting === 'registry' || caCertificate !== undefined
      ? [path.replace('<host>', host).replace('<index>', String(index))]
      : [],
  );
}

function isWritten({ unless }: WrittenFile, newCluster: NewCluster | undefined): boolean {
  if (unless === undefined) return true;
  if (newCluster === undefined || minor(newCluster.version) < (unless.since ?? 0)) return false;
  const { is, field } = unless;
  const value: unknown = at(newCluster.config, ...field);
  if (is === false) return value !== false;
  return !(isJsonObject(value) && Object.keys(value).some((key) => is.test(key)));
}
