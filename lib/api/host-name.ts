/**
 * Hosts as claims name them: an address, or a name of DNS. The API server judges new ones by CEL and the functions those
 * of new Clusters and machines; no schema does when it parses, because an older claim may have another.
 */
import { parseCidr } from './cidr.ts';

const LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';

/** Both for RE2 of the API server and for us. */
const NAME = `^${LABEL}(\\.${LABEL})*$`;
/** What ends in a number is read as an address, and is none. */
const NUMBER = '(^|\\.)([0-9]+|0x[0-9a-f]*)$';

/** A DNS name in lower case. @param self the text in CEL */
const nameCel = (self: string): string =>
  `${self}.matches('${escaped(NAME)}') && !${self}.matches('${escaped(NUMBER)}')`;

/** CEL over `self`: the host of an endpoint. */
export const HOST_CEL = `isIP(self) || ${nameCel('self')}`;

/** CEL over `self`: a domain. */
export const DOMAIN_CEL = `self.matches('${escaped(NAME)}')`;

/** As the API server and the functions say it. */
export const HOST_RULE =
  'is not a host; accepted: a DNS name in lower case or an IP address, without scheme and port, such as api.example.com';

export const DOMAIN_RULE = 'is not a DNS domain; accepted: lower-case labels such as cluster.local';

export function isHost(text: string): boolean {
  return isAddress(text) || (isDomain(text) && !new RegExp(NUMBER).test(text));
}

/** Labels of a DNS name in lower case. */
export function isDomain(text: string): boolean {
  return new RegExp(NAME).test(text);
}

/** An IPv4 or IPv6 address as Kubernetes reads it: without leading zeros, zone, or IPv4 inside IPv6. */
export function isAddress(text: string): boolean {
  return parseCidr(`${text}/${text.includes(':') ? 128 : 32}`) !== undefined;
}

/** The host that was probably meant: the one inside a URL or before a port, or in other letters. */
export function hostsMeant(text: string): readonly string[] {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/[/?#][^]*/, '')
    .replace(/^.*@/, '');
  const bare = /^\[([0-9a-f:.]+)\](:[0-9]*)?$/.exec(plain)?.[1] ?? plain.replace(/^([^:]*):[0-9]*$/, '$1');
  const names = [bare, bare.replace(/\.$/, ''), bare.replaceAll('_', '-')];
  return names.filter((one) => one !== text && isHost(one)).slice(0, 1);
}

function escaped(pattern: string): string {
  return pattern.replaceAll('\\', '\\\\');
}
