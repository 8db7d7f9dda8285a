/**
 * Which Kubernetes version new machines get. The control plane is first, one minor version after another and never
 * back; then the add-ons that are chosen for it, then workers. Until a version is allowed, the pool keeps its current one.
 */
import { coerce, compare, type SemVer, parse } from 'semver';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { recordedOf } from './accepted.ts';
import type { PoolMachine } from './machines.ts';
import type { PoolSituation } from './situation.ts';

export interface VersionPlan {
  /** Undefined: no machine may be created yet. */
  readonly version: string | undefined;
  /** Why this is not the version of the claim. */
  readonly held: HeldVersion | undefined;
  /** Why no machine is created, as the end of a sentence; undefined: machines are created. */
  readonly noNewMachines?: string;
}

export interface HeldVersion {
  readonly reason:
    | 'WaitingForCluster'
    | 'WaitingForControlPlane'
    | 'WaitingForAddons'
    | 'MinorSkipped'
    | 'MinorDowngraded'
    | 'VersionSkewed';
  readonly message: string;
}

/** What ends by itself, as a roll-out goes on. */
export const PASSING: ReadonlySet<string> = new Set<HeldVersion['reason']>([
  'WaitingForCluster',
  'WaitingForControlPlane',
  'WaitingForAddons',
]);

export function planVersion(
  { spec }: NodePool,
  cluster: Cluster,
  { machines, previous }: Pick<PoolSituation, 'machines' | 'previous'>,
): VersionPlan {
  const target = cluster.spec.version;
  const have = machines.flatMap((one) => versionOfMachine(one) ?? []).toSorted(byAge);
  if (spec.role === 'control-plane') {
    const nodes = machines.flatMap((one) => (one.isNode ? (versionOfMachine(one) ?? []) : []));
    return settled(target, have.at(-1), badStep(target, have, nodes.toSorted(byAge).at(-1)));
  }
  const reached = plain(cluster.status?.controlPlane?.version);
  const behind = addOnsBehind(cluster, reached);
  if (spec.version === undefined)
    return behind === undefined
      ? followed(target, reached)
      : { version: behind, held: waitingForAddOns(target, behind) };
  const skewed = tooOld(spec.version, reached);
  if (skewed !== undefined) return { version: spec.version, held: skewed, noNewMachines: skewed.message };
  const limit = reached !== undefined && byAge(reached, target) < 0 ? reached : target;
  // Reverting an unfinished update is not a downgrade: some machines still have the old version.
  const held =
    byAge(spec.version, limit) > 0
      ? waiting(spec.version, reached ?? limit)
      : behind !== undefined && minorOf(spec.version) > minorOf(behind)
        ? waitingForAddOns(spec.version, behind)
        : badStep(spec.version, have, have[0]);
  return settled(spec.version, have.at(-1) ?? recordedOf(previous)?.template.version, held);
}

/**
 * A pool without its own version uses the version that control-plane nodes run, even if the Cluster has a newer one.
 */
function followed(target: string, reached: string | undefined): VersionPlan {
  if (reached === undefined || byAge(reached, target) === 0) return { version: target, held: undefined };
  return { version: reached, held: waiting(target, reached) };
}

/**
 * The version that the add-ons are ready with, while that is a minor version before the control plane's. Undefined: no
 * add-on is chosen by the version, or all are ready with it.
 */
function addOnsBehind({ status }: Cluster, reached: string | undefined): string | undefined {
  const ready = plain(status?.addons?.version);
  return ready !== undefined && reached !== undefined && minorOf(ready) < minorOf(reached) ? ready : undefined;
}

function waitingForAddOns(wanted: string, ready: string): HeldVersion {
  return {
    reason: 'WaitingForAddons',
    message: `${wanted} waits until the add-ons of the Cluster are ready with it; they are ready with ${ready}`,
  };
}

/** How many minor versions a kubelet may be older than the API server: the version skew policy of Kubernetes. */
const OLDEST = 3;

/** A node with such an old version may not join. */
function tooOld(version: string, reached: string | undefined): HeldVersion | undefined {
  if (reached === undefined || minorOf(reached) - minorOf(version) <= OLDEST) return undefined;
  const accepted = `v1.${minorOf(reached) - OLDEST} or newer`;
  return {
    reason: 'VersionSkewed',
    message: `no machine is created: spec.version ${version} is more than ${OLDEST} minor versions older than the control plane, which runs ${reached}; accepted: ${accepted}`,
  };
}

/** @param current  undefined: a new pool */
function settled(wanted: string, current: string | undefined, held: HeldVersion | undefined): VersionPlan {
  return { version: held === undefined ? wanted : current, held };
}

function waiting(wanted: string, runs: string): HeldVersion {
  return {
    reason: 'WaitingForControlPlane',
    message: `${wanted} waits until the control plane runs it; it runs ${runs}`,
  };
}

/**
 * @param have versions of the existing machines, the oldest first
 * @param floor the version whose minor is the lowest allowed
 */
function badStep(wanted: string, have: readonly string[], floor: string | undefined): HeldVersion | undefined {
  const [oldest] = have;
  if (oldest === undefined) return undefined;
  const next = minorOf(oldest) + 1;
  if (minorOf(wanted) > next)
    return {
      reason: 'MinorSkipped',
      message: `${wanted} skips a minor version: machines run ${oldest}; accepted: up to v1.${next}`,
    };
  if (floor !== undefined && minorOf(wanted) < minorOf(floor))
    return {
      reason: 'MinorDowngraded',
      message: `${wanted} goes back a minor version: machines run ${floor}; accepted: v1.${minorOf(floor)} or newer`,
    };
  return undefined;
}

/**
 * The version of its spec; for a Node that is not being updated the version that it runs, because its spec may have
 * been edited directly.
 */
function versionOfMachine({ isNode, updating, version, wantedVersion }: PoolMachine): string | undefined {
  const runs = isNode && !updating ? plain(version) : undefined;
  return runs === undefined || (wantedVersion !== undefined && byAge(runs, wantedVersion) === 0) ? wantedVersion : runs;
}

/** In the format of claims; undefined if it is not a version. */
function plain(text: string | undefined): string | undefined {
  const version = versionOf(text);
  return version === undefined ? undefined : `v${version.version}`;
}

function minorOf(version: string): number {
  return versionOf(version)?.minor ?? 0;
}

function byAge(a: string, b: string): number {
  return compare(versionOf(a) ?? '0.0.0', versionOf(b) ?? '0.0.0');
}

/** A vendor suffix (-vendor.1) does not make it older; alpha, beta and rc do. Undefined if it is not a version. */
function versionOf(text: string | undefined): SemVer | undefined {
  if (text === undefined) return undefined;
  if (read.has(text)) return read.get(text);
  if (read.size >= MOST_READ) read.clear();
  const version = readVersion(text);
  read.set(text, version);
  return version;
}

/** Versions that were read: the machines of all pools have few. */
const read = new Map<string, SemVer | undefined>();
const MOST_READ = 1000;

function readVersion(text: string): SemVer | undefined {
  const version = parse(text);
  if (version === null) return undefined;
  const early = /^(alpha|beta|rc)$/.test(String(version.prerelease[0] ?? ''));
  return early ? version : (coerce(text) ?? undefined);
}
