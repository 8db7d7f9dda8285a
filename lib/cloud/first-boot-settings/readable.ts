/**
 * Keys, time zones and units in first-boot settings that programs of a host would not read. Refused of new claims alone:
 * a machine starts with some of them, and those that exist are replaced as before.
 */
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { withoutValue, withValue } from '#lib/api/issues.ts';
import { refusalFor } from '#lib/api/refusal.ts';

const RULE = {
  key: 'is not a public key; accepted: a line of authorized_keys such as ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA… ops@example.com',
  timezone: 'is not a time zone; accepted: UTC, or an area and a place such as Europe/Zurich',
  unit: 'is not a unit; accepted: text with a section such as [Service]',
} as const;

type Settings = Pick<Claimed, 'users' | 'timezone' | 'units'>;

/** Throws InvalidClaim for the first one. */
export function refuseUnreadable(settings: Settings, owner: string): void {
  const [fault] = faults(settings);
  if (fault !== undefined) throw refusalFor(owner, `spec.provisioning.${fault.field}`, fault.reason);
}

interface Fault {
  readonly field: string;
  readonly reason: string;
}

function* faults({ users, timezone, units }: Settings): Generator<Fault> {
  for (const [i, { sshAuthorizedKeys }] of users.entries())
    for (const [j, key] of sshAuthorizedKeys.entries())
      // Somebody may have taken the private key for it.
      if (!isKey(key)) yield { field: `users[${i}].sshAuthorizedKeys[${j}]`, reason: withoutValue(RULE.key) };
  if (timezone !== undefined && !isTimezone(timezone))
    yield { field: 'timezone', reason: withValue(timezone, RULE.timezone) };
  for (const [i, { contents, dropIns }] of units.entries()) {
    const unit = `units[${i}]`;
    if (!isUnit(contents)) yield { field: `${unit}.contents`, reason: withoutValue(RULE.unit) };
    for (const [j, dropIn] of dropIns.entries())
      if (!isUnit(dropIn.contents)) yield { field: `${unit}.dropIns[${j}].contents`, reason: withoutValue(RULE.unit) };
  }
}

/** After options, which may have quoted blanks; every key begins with the length of its type. */
const KEY =
  /(^|\s)(sk-)?(ssh-(rsa|dss|ed25519|ed448)|ecdsa-sha2-nistp(256|384|521))(-cert-v01)?(@openssh\.com)?\s+AAAA[A-Za-z0-9+/]+={0,2}(\s|$)/;

function isKey(line: string): boolean {
  return KEY.test(line);
}

/** Folders of the time zone database. */
const AREAS: ReadonlySet<string> = new Set(
  `Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico Pacific US posix
right`.split(/\s/),
);

/** Its names without a folder. */
const ZONES: ReadonlySet<string> = new Set(
  `CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland
Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK
Singapore Turkey UCT UTC Universal W-SU WET Zulu`.split(/\s/),
);

/** Places become more, areas do not. */
function isTimezone(name: string): boolean {
  const [area = '', place] = name.split('/');
  return place === undefined ? ZONES.has(area) : AREAS.has(area);
}

/** Without contents it is one of the image; an empty one, or one of comments alone, says nothing. */
function isUnit(contents = ''): boolean {
  return !/^[^\S\r\n\u2028\u2029]*[^\s#;]/m.test(contents) || /^\ufeff?[ \t]*\[[A-Za-z][A-Za-z0-9-]*\]/m.test(contents);
}
