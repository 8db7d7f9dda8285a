/**
 * Settings of a host that no first boot could make, whatever its format: refused at the claim. They are not in the
 * schema, because a machine that an earlier release created with them stays.
 */
import { posix } from 'node:path';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { formatPath, withoutValue, withValue } from '#lib/api/issues.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { NOT_PACKED, unpacked } from '#lib/api/packed.ts';
import {
  areAuthorities,
  isCertificates,
  isHash,
  isHostAddress,
  isMountable,
  isSysctl,
  RULE,
} from '#lib/api/fields/host-rules.ts';
import { isSudoRule } from '#lib/api/fields/sudo-rule.ts';
import { layoutFaults } from './layout.ts';

/** Throws InvalidClaim for the first setting that no host can have. */
export function refuseHostSettings(customisation: Claimed, owner: string): void {
  refuseRepeats(customisation, owner);
  const fault = faultIn(customisation);
  if (fault === undefined) return;
  const field = `spec.provisioning.${fault.field}`;
  throw refusalFor(owner, field, fault.secret === true ? withoutValue(fault.rule) : withValue(fault.value, fault.rule));
}

interface Fault {
  readonly field: string;
  readonly value: unknown;
  readonly rule: string;
  /** Its value is a secret. */
  readonly secret?: boolean;
}

function faultIn(claimed: Claimed): Fault | undefined {
  return [...faults(claimed)].at(0);
}

function* faults(claimed: Claimed): Generator<Fault> {
  yield* fileFaults(claimed);
  for (const [i, { passwordHash, passwordHashFrom, lockPassword, sudo, shell }] of claimed.users.entries()) {
    if (lockPassword === false && passwordHash === undefined && passwordHashFrom === undefined)
      yield { field: `users[${i}].lockPassword`, value: false, rule: RULE.lockPassword };
    if (passwordHash !== undefined && !isHash(passwordHash))
      yield { field: `users[${i}].passwordHash`, value: '', rule: RULE.hash, secret: true };
    if (sudo !== undefined && !isSudoRule(sudo)) yield { field: `users[${i}].sudo`, value: sudo, rule: RULE.sudo };
    if (shell !== undefined && !shell.startsWith('/'))
      yield { field: `users[${i}].shell`, value: shell, rule: RULE.shell };
  }
  for (const [name, value] of Object.entries(claimed.sysctls)) {
    const field = formatPath(['sysctls', name]);
    if (!isSysctl(name)) yield { field, value: undefined, rule: RULE.sysctl };
    if (value.trim() === '') yield { field, value, rule: RULE.sysctlValue };
  }
  for (const [i, text] of claimed.caCertificates.entries())
    if (!areAuthorities(text)) yield { field: `caCertificates[${i}]`, value: '', rule: RULE.authority, secret: true };
  for (const [i, { caCertificate }] of claimed.registries.entries())
    if (caCertificate !== undefined && !isCertificates(caCertificate))
      yield { field: `registries[${i}].caCertificate`, value: '', rule: RULE.certificate, secret: true };
  for (const [i, { address }] of claimed.hosts.entries())
    if (!isHostAddress(address)) yield { field: `hosts[${i}].address`, value: address, rule: RULE.address };
  yield* diskFaults(claimed);
  yield* layoutFaults(claimed);
  for (const [i, { path }] of claimed.mounts.entries())
    if (!isMountable(path)) yield { field: `mounts[${i}].path`, value: path, rule: RULE.mount };
}

/** One place of a host has one path, however the claim writes it: /etc//motd is /etc/motd. */
export function onePath(path: string): string {
  return posix.normalize(path);
}

function* fileFaults({ files }: Claimed): Generator<Fault> {
  const seen = new Set<string>();
  for (const [i, { path, append, encoding, content }] of files.entries()) {
    const field = `files[${i}]`;
    const place = onePath(path);
    if (path.endsWith('/') || place.startsWith('/var/run/') || place.startsWith('/var/lib/slipway/'))
      yield { field: `${field}.path`, value: path, rule: RULE.file };
    if (!append && seen.has(place))
      yield {
        field: `${field}.path`,
        value: path,
        rule: 'is written twice; accepted: each path once; another entry with append: true adds to the file',
      };
    seen.add(place);
    if (encoding !== 'plain' && content !== undefined && !isBase64(content))
      yield {
        field: `${field}.encoding`,
        value: encoding,
        rule: 'is not accepted; accepted: plain, since its content is not base64',
      };
    else if (encoding === 'gzip+base64' && content !== undefined && unpacked(content) === undefined)
      yield { field: `${field}.encoding`, value: encoding, rule: `is not accepted; accepted: ${NOT_PACKED}` };
  }
}

function* diskFaults({ disks }: Claimed): Generator<Fault> {
  for (const [i, { partitions }] of disks.entries())
    for (const [at, { label, sizeMiB }] of partitions.entries()) {
      const field = `disks[${i}].partitions[${at}]`;
      if (sizeMiB === undefined && at < partitions.length - 1)
        yield { field: `${field}.sizeMiB`, value: undefined, rule: RULE.partition };
      if (label !== undefined && partitions.findIndex((other) => other.label === label) < at)
        yield { field: `${field}.label`, value: label, rule: 'is not accepted; accepted: each label once' };
    }
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/\s]*(={1,2}\s*)?$/.test(text);
}

/**
 * The key of list entries. Formats differ in whether the first or the last duplicate wins, so duplicates are refused.
 */
const KEYS = {
  users: 'name',
  groups: 'name',
  units: 'name',
  disks: 'device',
  filesystems: 'device',
  mounts: 'path',
} as const satisfies Partial<Record<keyof Claimed, string>>;

function refuseRepeats(customisation: Claimed, owner: string): void {
  for (const [list, key] of Object.entries(KEYS))
    refuseRepeat(customisation[list as keyof typeof KEYS], list, key, owner);
  customisation.units.forEach(({ dropIns }, index) => refuseRepeat(dropIns, `units[${index}].dropIns`, 'name', owner));
}

function refuseRepeat(entries: readonly object[], list: string, key: string, owner: string): void {
  const values = entries.map((entry) => (entry as Readonly<Record<string, unknown>>)[key]);
  const index = values.findIndex((value, at) => values.indexOf(value) !== at);
  if (index === -1) return;
  throw refusal(owner, `spec.provisioning.${list}[${index}].${key}`, values[index], `each ${key} once`);
}
