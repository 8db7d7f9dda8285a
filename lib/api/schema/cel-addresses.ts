/** Kubernetes' CEL functions for addresses and blocks, as far as rules of ours use them. */
import type { Environment } from '@marcbachmann/cel-js';
import { type Cidr, formatCidr, parseCidr, size } from '../cidr.ts';
import { isAddress } from '../host-name.ts';

/** A block as Go's netip.Prefix keeps it: the address with its host bits, and the length. */
class Prefix {
  readonly address: Address;
  readonly length: number;
  constructor(address: Address, length: number) {
    this.address = address;
    this.length = length;
  }
}

class Address {
  readonly host: Cidr;
  constructor(host: Cidr) {
    this.host = host;
  }
}

/** Adds isIP, isCIDR, cidr and the methods ip, masked, prefixLength, containsIP and containsCIDR of a block. */
export function registerAddresses(environment: Environment): Environment {
  return environment
    .registerType('net.CIDR', Prefix)
    .registerType('net.IP', Address)
    .registerFunction('isIP(string): bool', isAddress)
    .registerFunction('isCIDR(string): bool', (text: string) => prefixOf(text) !== undefined)
    .registerFunction('cidr(string): net.CIDR', parsed)
    .registerFunction('net.CIDR.ip(): net.IP', ({ address }: Prefix) => address)
    .registerFunction('net.CIDR.masked(): net.CIDR', (prefix: Prefix) => maskedOf(prefix))
    .registerFunction('net.CIDR.prefixLength(): int', ({ length }: Prefix) => BigInt(length))
    .registerFunction('net.CIDR.containsIP(net.IP): bool', (prefix: Prefix, { host }: Address) => holds(prefix, host))
    .registerFunction(
      'net.CIDR.containsCIDR(net.CIDR): bool',
      (outer: Prefix, inner: Prefix) => inner.length >= outer.length && holds(outer, inner.address.host),
    )
    .registerOperator('net.CIDR == net.CIDR', same)
    .registerOperator('net.IP == net.IP', (a: Address, b: Address) => sameHost(a.host, b.host));
}

function prefixOf(text: string): Prefix | undefined {
  const [, address = '', length = ''] = /^([0-9a-fA-F.:]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const host = parseCidr(`${address}/${address.includes(':') ? 128 : 32}`);
  if (host === undefined || Number(length) > host.prefix) return undefined;
  return new Prefix(new Address(host), Number(length));
}

function parsed(text: string): Prefix {
  const prefix = prefixOf(text);
  if (prefix === undefined) throw new Error(`${JSON.stringify(text)} is not a network block`);
  return prefix;
}

function blockOf({ address: { host }, length }: Prefix): Cidr {
  const hostBits = BigInt(host.prefix - length);
  return { family: host.family, base: (host.base >> hostBits) << hostBits, prefix: length };
}

function maskedOf(prefix: Prefix): Prefix {
  const block = blockOf(prefix);
  const { host } = prefix.address;
  return new Prefix(new Address({ ...host, base: block.base }), prefix.length);
}

function holds(prefix: Prefix, host: Cidr): boolean {
  const block = blockOf(prefix);
  return block.family === host.family && host.base >= block.base && host.base < block.base + size(block);
}

function same(a: Prefix, b: Prefix): boolean {
  return a.length === b.length && sameHost(a.address.host, b.address.host);
}

function sameHost(a: Cidr, b: Cidr): boolean {
  return formatCidr(a) === formatCidr(b);
}
