/** write_files: files of the claim, of the plan, and the script that does the rest. */
import { posix } from 'node:path';
import type { PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Customisation, FilledUnit } from '#lib/api/fields/customisation.ts';
import { refuseDuplicates } from '../contents.ts';
import { claimedFile, type HostFile, plannedFile, rootFile } from '../host-file.ts';
import { MODULES_FILE, modulesText, SYSCTL_FILE, sysctlText } from '../kernel.ts';
import type { Order } from '../provisioner.ts';
import { proxyFiles } from '../proxy.ts';
import { script, SCRIPT_PATH, type Step } from '../script.ts';
import { expirySteps } from '../expiry.ts';
import { modeSteps } from '../special-modes.ts';
import { checkSteps } from './checks.ts';
import { FORGET } from './forget.ts';
import { groupSteps } from './groups.ts';
import { ownerSteps, writtenAs } from './owners.ts';
import { CLOUD_INIT_QUERY } from './query.ts';
import { storageSteps } from './storage.ts';
import { isPlain } from './yaml.ts';

interface WriteFile {
  readonly path: string;
  /** @default root:root */
  readonly owner?: string;
  /** @default 0644 */
  readonly permissions?: string;
  readonly append?: true;
  /** Written after users exist. */
  readonly defer?: true;
  readonly encoding?: 'b64';
  readonly content: string;
}

export function writeFiles(order: Order<'scripted'>, more: readonly Step[]): readonly WriteFile[] {
  const { plan, customisation, owner } = order;
  const others = [
    ...customisation.files.map((file, index) => claimedFile(file, index, owner)),
    ...plan.files.map(plannedFile),
    ...plan.units.flatMap(unitFiles),
    ...customisation.units.flatMap(unitFiles).map((file) => ({ ...file, field: 'units' })),
    ...settings(order),
  ];
  const waits = waiting(customisation);
  const entries = others.map((file) => entry(file, waits(file)));
  const last = entries.findLast(
    ({ path, defer, append }) => defer !== true && append !== true && !isLostAtBoot(path),
  )?.path;
  const checks = [...storageSteps(customisation), ...groupSteps(customisation), ...checkSteps(order, last)];
  const steps = {
    checks,
    settings: [...ownerSteps(order), ...modeSteps(customisation), ...expirySteps(customisation.users), ...more],
    lastly: [FORGET],
  };
  // First: cloud-init writes no file after one that it cannot write, and the script says which.
  const first = rootFile(SCRIPT_PATH, script(order, CLOUD_INIT_QUERY, steps), '0700');
  refuseDuplicates([first, ...others], owner);
  return [entry(first, false), ...entries];
}

/**
 * Whether a file is written in the last stage: files are written before users, groups and mounts exist. A file that is
 * appended to a deferred file is deferred as well.
 */
function waiting({ users, groups, mounts }: Customisation): (file: HostFile) => boolean {
  const created = new Set([
    ...users.flatMap(({ name, groups: own, primaryGroup = name }) => [name, primaryGroup, ...own]),
    ...groups.map(({ name }) => name),
  ]);
  const late = new Set<string>();
  return ({ path, owner }) => {
    const place = posix.normalize(path);
    const waits =
      late.has(place) ||
      owner.split(':').some((name) => created.has(name)) ||
      mounts.some((mount) => place.startsWith(`${posix.normalize(mount.path).replace(/\/$/, '')}/`));
    if (waits) late.add(place);
    return waits;
  };
}

/** A boot after the first one would not find it. */
function isLostAtBoot(path: string): boolean {
  return /^(\/var)?\/(run|tmp)\/|^\/dev\//.test(posix.normalize(path));
}

/** As text if that is safe (smaller and readable), otherwise as base64. */
function entry({ path, bytes, mode, owner, append }: HostFile, defer: boolean): WriteFile {
  const text = bytes.toString('utf8');
  const written = writtenAs(owner);
  return {
    path,
    ...(written === 'root:root' ? {} : { owner: written }),
    ...(mode === '0644' ? {} : { permissions: mode }),
    ...(append ? { append: true } : {}),
    ...(defer ? { defer: true } : {}),
    ...(isPlain(text) ? { content: text } : { encoding: 'b64', content: bytes.toString('base64') }),
  };
}

function unitFiles(unit: PlanUnit | FilledUnit): readonly HostFile[] {
  const { name, contents } = unit;
  const dropIns = 'dropIns' in unit ? unit.dropIns : [];
  return [
    ...(contents === undefined ? [] : [rootFile(`/etc/systemd/system/${name}`, contents)]),
    ...dropIns.map((dropIn) => rootFile(`/etc/systemd/system/${name}.d/${dropIn.name}`, dropIn.contents)),
  ];
}

/** Settings must survive a reboot, so they are files; the script applies kernel settings now. */
function settings({ plan, customisation }: Order<'scripted'>): readonly HostFile[] {
  const { sysctls, kernelModules, hosts, proxy } = customisation;
  const lines = hosts.map(({ address, names }) => `${[address, ...names].join(' ')}\n`);
  return [
    // The last line of the file in the image may have no line end.
    ...(hosts.length === 0 ? [] : [rootFile('/etc/hosts', `\n${lines.join('')}`, '0644', true)]),
    ...proxyFiles(proxy, plan.noProxy ?? []).map(({ path, text, append }) => rootFile(path, text, '0644', append)),
    ...(Object.keys(sysctls).length === 0 ? [] : [rootFile(SYSCTL_FILE, sysctlText(sysctls))]),
    ...(kernelModules.length === 0 ? [] : [rootFile(MODULES_FILE, modulesText(kernelModules))]),
  ];
}
