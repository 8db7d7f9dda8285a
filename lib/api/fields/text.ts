/** Single values that appear in several kinds: durations, blocks, versions, names. */
import { z } from 'zod';
import { blocksOf, networksOf, parseCidr } from '../cidr.ts';
import { meaning, withRule } from '../schema/rules.ts';

const DURATION = /^([0-9]+h)?([0-9]+m)?([0-9]+s)?$/;

const TIME = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;

/** A duration such as 90s, 10m or 1h30m. */
export function duration(): z.ZodString {
  const error = 'is not a duration; accepted: hours, minutes and seconds such as 90s, 10m or 1h30m';
  return meaning(
    z.string().min(2).max(16).regex(DURATION, { error }),
    (wrote) => {
      const plain = wrote.trim().toLowerCase();
      return [plain, `${plain}s`];
    },
    true,
  );
}

/** Whether a text, as of a flag, is such a duration. */
export function isDuration(text: string): boolean {
  return text !== '' && DURATION.test(text);
}

/** Seconds of a duration that `duration()` accepted. */
export function seconds(text: string): number {
  const [, hours = '0h', minutes = '0m', rest = '0s'] = DURATION.exec(text) ?? [];
  return parseInt(hours, 10) * 3600 + parseInt(minutes, 10) * 60 + parseInt(rest, 10);
}

/** Milliseconds since 1970 of a time as the API server writes it; undefined for what is none. */
export function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** A time as the API server writes it: UTC, whole seconds, rounded down. @param time milliseconds since 1970 */
export function stampOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** A point in time as Kubernetes writes it: UTC, whole seconds. */
export function time(): z.ZodString {
  return z
    .string()
    .max(20)
    .regex(TIME, { error: 'is not a time; accepted: UTC in whole seconds such as 2026-03-01T06:00:00Z' });
}

/** A block of a network, which one address is not. */
export function network(): z.ZodString {
  return cidr(networksOf, NETWORK_RULE);
}

const BLOCK_RULE = 'is not a network block; accepted: an IPv4 or IPv6 block with no host bits set, such as 10.0.0.0/16';
const NETWORK_RULE =
  'is not a network block; accepted: one block with no host bits set, such as 10.0.0.0/16; IPv6 is for machines that have no IPv4, and dual stack is not supported';

/** An IPv4 or IPv6 block whose host bits are zero. @param meant  the blocks that were meant by another text */
export function cidr(meant: typeof blocksOf = blocksOf, message = BLOCK_RULE): z.ZodString {
  return withRule(meaning(z.string().max(49), meant, true), {
    cel: 'isCIDR(self) && cidr(self) == cidr(self).masked()',
    holds: (text) => parseCidr(text) !== undefined,
    message,
  });
}

/** A Kubernetes version, with its v. */
export function version(): z.ZodString {
  const text = z
    .string()
    .max(32)
    .regex(/^v1\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$/, {
      error: 'is not a Kubernetes version; accepted: v1.<minor>.<patch> such as v1.37.1',
    });
  return meaning(text, versionsIn, true);
}

/** Without its v, in capitals, or with what a distribution adds to it. What comes before a release is part of it. */
function versionsIn(wrote: string): readonly string[] {
  const [, plain, early = ''] = /^\s*v?(1\.[0-9]+\.[0-9]+)(?![0-9.])(-(?:alpha|beta|rc)\.[0-9]+)?/i.exec(wrote) ?? [];
  return plain === undefined ? [] : [`v${plain}${early.toLowerCase()}`];
}

/** Accounts and groups that every Windows has: in small letters they would be others beside them. */
const OF_WINDOWS: ReadonlySet<string> = new Set([
  'administrator',
  'administrators',
  'guest',
  'guests',
  'system',
  'users',
]);

/** The name of a user or a group, which in capitals is meant in small letters unless Windows has it. */
export function account(schema: z.ZodString): z.ZodString {
  return meaning(
    schema,
    (wrote) => {
      const plain = wrote.trim();
      return OF_WINDOWS.has(plain.toLowerCase()) ? [plain] : [plain, plain.toLowerCase()];
    },
    false,
  );
}

/** The name of another object in the same namespace. */
export function objectName(): z.ZodString {
  return z
    .string()
    .min(1)
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
      error: 'is not an object name; accepted: lower-case letters, digits and - (a DNS label)',
    });
}

/** Any text without control characters: what is written into a file line by line must not begin another line. */
export function line(): z.ZodString {
  return z.string().regex(/^\P{Cc}*$/u, {
    error: 'is not accepted; accepted: one line without control characters',
  });
}

/** The same without blanks, and not like an option of a command. */
export function word(): z.ZodString {
  return z.string().regex(/^[^\p{Cc} -][^\p{Cc} ]*$/u, {
    error: 'is not accepted; accepted: one word that does not begin with -',
  });
}

/**
 * An absolute path on a machine that is still there after the first boot. One place has one path: without . and .., a
 * rule about folders holds for what is written.
 */
export function path(
  characters = /^\P{Cc}+$/u,
  which = 'on one line and without control characters',
  example = '/etc/app.conf',
): z.ZodString {
  const message = `is not accepted; accepted: an absolute path such as ${example}, outside /run, /tmp, /proc, /sys and /dev, without . and ..`;
  const error = `is not accepted; accepted: an absolute path ${which}`;
  const text = z.string().min(2, { error: message }).max(4096).regex(characters, { error });
  return withRule(meaning(text, pathsOf, false), {
    cel: "self.startsWith('/') && !self.startsWith('/run/') && !self.startsWith('/tmp/') && !self.startsWith('/proc/') && !self.startsWith('/sys/') && !self.startsWith('/dev/') && !self.startsWith('//') && !self.contains('/./') && !self.contains('/../') && !self.endsWith('/.') && !self.endsWith('/..')",
    holds: (text) => /^\/(?!(run|tmp|proc|sys|dev)?\/)/.test(text) && !/\/\.\.?(\/|$)/.test(text),
    message,
  });
}

/** Of Windows, whose paths begin with the drive that machines boot from, and are the same without it. */
function pathsOf(wrote: string): readonly string[] {
  const plain = wrote.trim();
  return [plain, plain.replace(/^c:/i, '').replaceAll('\\', '/')];
}

/** A path without what the tables of a host use to tell their columns apart. */
export function place(example: string): z.ZodString {
  return path(/^[A-Za-z0-9._/@+-]+$/, 'of letters, digits and . _ / @ + -', example);
}
