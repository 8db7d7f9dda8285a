/**
 * How a machine is changed to match its pool, as docs/in-place-updates.md promises; not with the rules of the planner,
 * which are what is judged.
 */
import { at, isJsonObject, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';

/** Fits: no change. Patch, Gentle: it stays available. Disruptive: it is drained first. Replace: another machine. */
export type Way = 'Fits' | 'Patch' | 'Gentle' | 'Disruptive' | 'Replace';

const STRENGTH: readonly Way[] = ['Fits', 'Patch', 'Gentle', 'Disruptive', 'Replace'];

export interface Goal {
  readonly pool: KubeObject;
  /** What machines should be. */
  readonly version: string;
  /** A machine stops to get another size. */
  readonly resizes: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** @param made milliseconds since 1970 */
export function wayOf(machine: KubeObject, goal: Goal, made: number): Way {
  const { spec = {} } = goal.pool;
  const ways = [
    machineWay(at(machine, 'spec', 'machine'), spec['machine'], goal.resizes),
    versionWay(stringAt(machine, 'spec', 'version') ?? '', goal.version, stringAt(spec, 'role') === 'control-plane'),
    taintsWay(at(machine, 'spec', 'taints'), spec['taints']),
    sysctlsWay(at(machine, 'spec', 'provisioning', 'sysctls'), at(spec, 'provisioning', 'sysctls')),
    sameJson(at(machine, 'spec', 'labels') ?? {}, spec['labels'] ?? {}) ? 'Fits' : 'Patch',
    zoneWay(stringAt(machine, 'spec', 'failureDomain'), at(spec, 'machine', 'zones')),
    restartWay(machine, stringAt(spec, 'update', 'rolloutAfter'), goal.now, made),
  ] as const;
  return ways.reduce((strongest, way) => (STRENGTH.indexOf(way) > STRENGTH.indexOf(strongest) ? way : strongest));
}

function machineWay(old: unknown, wanted: unknown, resizes: boolean): Way {
  const [before, after] = [asObject(old), asObject(wanted)];
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isDefault(key, after[key]) && !sameJson(before[key] ?? null, after[key] ?? null),
  );
  if (changed.length === 0) return 'Fits';
  return resizes && changed.every((key) => key === 'class' || key === 'instanceType') ? 'Disruptive' : 'Replace';
}

/** Zones belong to the pool only, and a disk without values has its defaults. */
function isDefault(key: string, wanted: unknown): boolean {
  return key === 'zones' || (key === 'rootDisk' && wanted === undefined);
}

/** A newer patch version is installed on a worker; any other version needs another machine. */
function versionWay(old: string, wanted: string, controlPlane: boolean): Way {
  if (old === wanted) return 'Fits';
  const [, minor, patch] = old.split('.');
  const [, nextMinor, nextPatch] = wanted.split('.');
  return !controlPlane && minor === nextMinor && Number(nextPatch) > Number(patch) ? 'Disruptive' : 'Replace';
}

function taintsWay(old: unknown, wanted: unknown): Way {
  const [before, after] = [asList(old), asList(wanted)];
  if (sameJson(before, after)) return 'Fits';
  const evicts = after.some(
    (taint) => at(taint, 'effect') === 'NoExecute' && !before.some((one) => sameJson(one, taint)),
  );
  return evicts ? 'Disruptive' : 'Patch';
}

/** A value that is removed stays on the machine until it is replaced. */
function sysctlsWay(old: unknown, wanted: unknown): Way {
  const [before, after] = [asObject(old), asObject(wanted)];
  if (sameJson(before, after)) return 'Fits';
  return Object.keys(before).every((key) => key in after) ? 'Gentle' : 'Replace';
}

function zoneWay(zone: string | undefined, allowed: unknown): Way {
  const zones = asList(allowed);
  return zones.length === 0 || zone === undefined || zones.includes(zone) ? 'Fits' : 'Replace';
}

function restartWay(machine: KubeObject, asked: string | undefined, now: number, made: number): Way {
  const time = Date.parse(asked ?? '');
  const due = time <= now && made < time && stringAt(machine, 'spec', 'rolloutAfter') !== asked;
  return due ? 'Replace' : 'Fits';
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
