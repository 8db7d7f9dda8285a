/**
 * Hosts, URLs and blocks in first-boot settings that nothing could reach. Refused of new claims alone: a machine starts
 * with some of them, and those that exist are replaced as before.
 */
import { isIP } from 'node:net';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { isAddress, isHost } from '#lib/api/host-name.ts';
import { withoutValue, withValue } from '#lib/api/issues.ts';
import { refusalFor } from '#lib/api/refusal.ts';

const HOST = 'is not a host; accepted: a DNS name or an IP address such as';
const RULE = {
  name: 'is not a host name; accepted: labels of letters, digits, _ and -, divided by dots, such as db.example.com',
  server: `${HOST} time.example.com, without scheme and port`,
  url: 'is not accepted; accepted: an http or https URL with a host and a port up to 65535, such as http://proxy.example.com:3128',
  none: `${HOST} 10.0.0.9, a domain such as .example.com, or a block such as 10.0.0.0/8`,
  registry: `${HOST} docker.io, and a port up to 65535`,
} as const;

type Settings = Pick<Claimed, 'hosts' | 'ntp' | 'proxy' | 'registries'>;

/** Throws InvalidClaim for the first one. */
export function refuseUnreachable(settings: Settings, owner: string): void {
  const [fault] = faults(settings);
  if (fault === undefined) return;
  const { field, value, rule } = fault;
  throw refusalFor(
    owner,
    `spec.provisioning.${field}`,
    value === undefined ? withoutValue(rule) : withValue(value, rule),
  );
}

interface Fault {
  readonly field: string;
  /** undefined: it may contain a password. */
  readonly value: string | undefined;
  readonly rule: string;
}

function* faults({ hosts, ntp, proxy, registries }: Settings): Generator<Fault> {
  for (const [i, { names }] of hosts.entries())
    for (const [j, name] of names.entries())
      if (isAddress(name) || !isReachable(name))
        yield { field: `hosts[${i}].names[${j}]`, value: name, rule: RULE.name };
  for (const [i, server] of (ntp?.servers ?? []).entries())
    if (!isReachable(server)) yield { field: `ntp.servers[${i}]`, value: server, rule: RULE.server };
  for (const field of ['http', 'https'] as const) {
    const url = proxy?.[field];
    if (url !== undefined && !isUrl(url)) yield { field: `proxy.${field}`, value: undefined, rule: RULE.url };
  }
  for (const [i, one] of (proxy?.none ?? []).entries())
    if (!isBypass(one)) yield { field: `proxy.none[${i}]`, value: one, rule: RULE.none };
  for (const [i, { host, mirrors }] of registries.entries()) {
    if (!isWithPort(host)) yield { field: `registries[${i}].host`, value: host, rule: RULE.registry };
    for (const [j, mirror] of mirrors.entries())
      if (!isUrl(mirror)) yield { field: `registries[${i}].mirrors[${j}]`, value: undefined, rule: RULE.url };
  }
}

/** Resolvers also know capital letters, underscores and a dot at the end, and an interface after a local address. */
function isReachable(host: string): boolean {
  return isIP(host) !== 0 || isHost(host.toLowerCase().replaceAll('_', 'x').replace(/\.$/, ''));
}

function isWithPort(text: string): boolean {
  const [, host = text, port = '0'] = /^([^:]*):([0-9]{1,5})$/.exec(text) ?? [];
  return isReachable(host) && Number(port) <= 65_535;
}

function isUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/.test(text) && URL.canParse(text);
}

/** As some program reads NO_PROXY: a host with or without a port, a domain, a pattern, the begin of an address, a block. */
function isBypass(text: string): boolean {
  const [address = '', prefix] = text.split(/\/(.*)/, 2);
  if (prefix !== undefined) return isAddress(address) && (isIP(prefix) === 4 || isPrefix(prefix, address));
  if (isAddress(text) || /^([0-9]{1,3}\.){1,3}[0-9]{0,3}$/.test(text)) return true;
  return isWithPort(text.replace(/^\*?\./, '').replaceAll('*', 'x'));
}

function isPrefix(text: string, address: string): boolean {
  return /^[0-9]{1,3}$/.test(text) && Number(text) <= (address.includes(':') ? 128 : 32);
}
