/**
 * What each format refuses of `spec.provisioning`: one line per format, from its own folder. Functions that decide about
 * clusters and pools import it beside the traits, and so refuse a claim before there is a machine.
 */
import type { HostOs } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Claimed, Provisioning } from '#lib/api/fields/provisioning.ts';
import { referencesIn } from '#lib/api/fields/value-from.ts';
import { own } from '#lib/api/json.ts';
import { textFault } from '#lib/api/machine-variables.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { refuseUnsaid } from '#lib/cloud/expressible.ts';
import { onePath, refuseHostSettings } from '#lib/cloud/first-boot-settings/settings.ts';
import { inClear } from '#lib/cloud/in-clear.ts';
import { refuseTooLarge } from '#lib/cloud/least-size.ts';
import { plannedPaths } from '#lib/cloud/planned-files.ts';
import type { Rooms } from '#lib/cloud/size.ts';
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';
import { refuseOnBottlerocket } from './bottlerocket/rules.ts';
import { filesOfSettings } from './cloud-init/rules.ts';
import { refuseOnWindows } from './cloudbase-init/rules.ts';
import { filesOfIgnition, refuseFstabWords } from './ignition/rules.ts';
import { filesOfTime, refuseWithNodeadm } from './nodeadm/rules.ts';
import { type Format, formatsFor, isDelivered, type Pairing, PROVISIONER_TRAITS, refuseFormat } from './traits.ts';

/** Throws InvalidClaim or Unsupported for a value that a format cannot express. */
type RefuseValues = (claimed: Claimed, owner: string) => void;

const RULES: Readonly<Partial<Record<Format, RefuseValues>>> = {
  bottlerocket: refuseOnBottlerocket,
  'cloudbase-init': refuseOnWindows,
  ignition: refuseFstabWords,
  'ignition-2.3': refuseFstabWords,
  nodeadm: refuseWithNodeadm,
};

/** Paths of files that a format writes for other settings of a claim. */
type FilesOfSettings = (claimed: Claimed) => readonly string[];

const FILES: Readonly<Partial<Record<Format, FilesOfSettings>>> = {
  'cloud-init': filesOfSettings,
  ignition: filesOfIgnition,
  'ignition-2.3': filesOfIgnition,
  nodeadm: (claimed) => [...filesOfSettings(claimed), ...filesOfTime(claimed)],
};

/** Throws InvalidClaim or Unsupported for the first value that the format cannot express, whatever the plan writes. */
export function refuseValues(format: string, claimed: Claimed, owner: string): void {
  const rules: Readonly<Record<string, RefuseValues>> = RULES;
  own(rules, format)?.(claimed, owner);
}

/**
 * Throws Unsupported or InvalidClaim for first-boot settings of a claim that no machine of it could have. Registries are
 * left out: bootstrappers implement them.
 */
export function refuseFirstBoot(
  { format, ...claimed }: Provisioning,
  pairing: Pairing,
  owner: string,
  others: readonly string[],
): void {
  refuseFormat(format, pairing, owner, others);
  const expresses = own(PROVISIONER_TRAITS, format)?.expresses;
  if (expresses !== undefined) refuseUnsaid({ ...claimed, registries: [] }, format, expresses, owner);
  refuseHostSettings(claimed, owner);
  refuseVariables(claimed, format, owner);
  if (!others.includes(format)) refuseValues(format, claimed, owner);
  refuseWritten(claimed, format, pairing, owner);
}

const TAKES_VARIABLES =
  /^(files\[\d+\]\.content|units\[\d+\](\.dropIns\[\d+\])?\.contents|commands\.(pre|post)\[\d+\])$/;

/** Throws InvalidClaim for a value of the machine that nothing would replace. */
function refuseVariables(claimed: Claimed, format: string, owner: string): void {
  const fault = textFault(claimed, (path) => {
    if (!TAKES_VARIABLES.test(path)) return 'is replaced only in files, units and commands; accepted: one of these';
    return format !== 'talos' || `is not replaced by ${format}, which runs no script; accepted: the value itself`;
  });
  if (fault !== undefined) throw refusalFor(owner, `spec.provisioning.${fault.path}`, fault.reason);
}

/** What a platform says of formats, in the input of each step that judges claims. */
interface SaidOfFormats {
  /** Of another provisioning step, of which nothing is known. */
  readonly otherFormats: readonly string[];
  /** Those that may reach machines in clear, so that all others are in its secret store; undefined: nobody said so. */
  readonly allowInClear?: readonly string[] | undefined;
  readonly cloud?: string | undefined;
}

/** Throws PayloadTooLarge for what is larger than any machine of the cloud may get, however its bootstrapper starts it. */
export function refuseTooMuch(
  { format, ...claimed }: Provisioning,
  rooms: Rooms | undefined,
  owner: string,
  said: SaidOfFormats,
): void {
  const traits = knownTraits(format, said);
  if (traits !== undefined && rooms !== undefined)
    refuseTooLarge(claimed, traits, rooms, owner, said.allowInClear !== undefined);
}

/**
 * Throws Unsupported for a format whose machines would be refused, because everyone who may describe them could read
 * its secrets. Where the platform does not say what it allows, only machines are judged.
 */
export function refuseInClear(
  { format, ...claimed }: Provisioning,
  { plan, os }: Pairing,
  owner: string,
  said: SaidOfFormats,
): void {
  const traits = knownTraits(format, said);
  if (said.allowInClear?.includes(format) !== false || traits === undefined || isDelivered(traits)) return;
  if (!traits.joinSecrets && referencesIn(claimed).length === 0) return;
  const others = formatsFor(plan, os).flatMap(([name, of]) => (isDelivered(of) ? [name] : []));
  throw inClear(owner, format, traits.joinSecrets, said.cloud, others);
}

function knownTraits(format: string, { otherFormats }: SaidOfFormats): ProvisionerTraits | undefined {
  return otherFormats.includes(format) ? undefined : own(PROVISIONER_TRAITS, format);
}

/** Each machine writes it itself: no file is written twice. */
function refuseWritten(
  claimed: Claimed,
  format: string,
  { provider, plan, os = 'linux', role, newCluster }: Pairing,
  owner: string,
): void {
  const files: Readonly<Record<string, FilesOfSettings>> = FILES;
  const ofPlan = plannedPaths(plan, claimed, { os, role, newCluster });
  const writers = new Map([
    ...ofPlan.map((path) => [placeOf(path, os), provider] as const),
    ...[...(own(PROVISIONER_TRAITS, format)?.writes ?? []), ...(own(files, format)?.(claimed) ?? [])].map(
      (path) => [placeOf(path, os), format] as const,
    ),
  ]);
  const theirs = claimed.files.map(({ path }) => placeOf(path, os));
  const folders = foldersOf([
    ...writers.keys(),
    ...theirs,
    ...claimed.mounts.map(({ path }) => `${placeOf(path, os)}/`),
  ]);
  // Files of a claim are written first: what adds to one of these would be overwritten, so machines refuse it as well.
  for (const [i, { path }] of claimed.files.entries()) {
    const place = placeOf(path, os);
    const accepted = otherPlace(place, writers, theirs, folders);
    if (accepted !== undefined) throw refusal(owner, `spec.provisioning.files[${i}].path`, path, accepted);
  }
}

/** What is accepted in place of a path where a first boot cannot write a file; undefined: it can. */
function otherPlace(
  place: string,
  writers: ReadonlyMap<string, string>,
  theirs: readonly string[],
  folders: ReadonlyMap<string, string>,
): string | undefined {
  const writer = writers.get(place);
  if (writer !== undefined) return `another path, since ${writer} writes this file`;
  const below = folders.get(place);
  if (below !== undefined) return `another path, since ${below} makes a folder of it`;
  const above = [...foldersOf([place]).keys()].find((folder) => writers.has(folder) || theirs.includes(folder));
  return above === undefined ? undefined : `a path that is not below ${above}, which is a file`;
}

/** Every folder above some paths, with the first path below it. */
function foldersOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (!found.has(path.slice(0, end))) found.set(path.slice(0, end), path);
  return found;
}

/** Paths of Windows are case-insensitive. */
function placeOf(path: string, os: HostOs): string {
  const place = onePath(path);
  return os === 'windows' ? place.toLowerCase() : place;
}
