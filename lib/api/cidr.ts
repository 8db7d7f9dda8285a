/** IPv4 and IPv6 blocks: parsing, overlap and splitting, in whole numbers. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Cidr {
  readonly family: 4 | 6;
  /** First address of the block. */
  readonly base: bigint;
  readonly prefix: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;

/** A block, or undefined when the text is not one or has bits set below its prefix. */
export function parseCidr(text: string): Cidr | undefined {
  if (!/^[0-9a-fA-F.:]+\/(0|[1-9]\d{0,2})$/.test(text)) return undefined;
  const [address = '', length = ''] = text.split('/');
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.parse(address);
  const family = parsed.kind() === 'ipv4' ? 4 : 6;
  if (parsed instanceof ipaddr.IPv4 && !ipaddr.IPv4.isValidFourPartDecimal(address)) return undefined;
  // An IPv4-mapped IPv6 address: the API server refuses it, too.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return undefined;
  const prefix = Number(length);
  if (prefix > WIDTH[family]) return undefined;
  const base = parsed.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const hostBits = BigInt(WIDTH[family] - prefix);
  if ((base & ((1n << hostBits) - 1n)) !== 0n) return undefined;
  return { family, base, prefix };
}

/**
 * The block that was probably meant by a text that is none: the one that an address is in, or the address alone. What is
 * meant by an address that ends in 0 nobody can tell, unless it is all 0.
 */
export function blocksOf(text: string): readonly string[] {
  const { bytes, prefix } = addressOf(text) ?? {};
  if (bytes === undefined) return [];
  if (prefix !== undefined) return blockAround(bytes, prefix);
  if (bytes.every((byte) => byte === 0)) return blockAround(bytes, 0);
  return bytes.at(-1) === 0 ? [] : blockAround(bytes, 8 * bytes.length);
}

/** The same of a network, which is more than one address: as long as its address ends in 0. */
export function networksOf(text: string): readonly string[] {
  const { bytes, prefix } = addressOf(text) ?? {};
  if (bytes === undefined) return [];
  if (prefix !== undefined) return blockAround(bytes, prefix);
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return used === 0 || used === bytes.length ? [] : blockAround(bytes, 8 * used);
}

/** An address, and what follows it as a prefix. */
function addressOf(text: string): { readonly bytes: readonly number[]; readonly prefix?: number } | undefined {
  const [address = '', length] = text.trim().split(/\/(.*)/, 2);
  if (isIP(address) === 0 || address.includes('%')) return undefined;
  const bytes = ipaddr.parse(address).toByteArray();
  if (length === undefined) return { bytes };
  return /^\d{1,3}$/.test(length) && Number(length) <= 8 * bytes.length ? { bytes, prefix: Number(length) } : undefined;
}

function blockAround(bytes: readonly number[], prefix: number): readonly string[] {
  const hostBits = BigInt(8 * bytes.length - prefix);
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return [formatCidr({ family: bytes.length === 4 ? 4 : 6, base: (value >> hostBits) << hostBits, prefix })];
}

export function formatCidr({ family, base, prefix }: Cidr): string {
  const bytes = Array.from({ length: WIDTH[family] / 8 }, (_, i) =>
    Number((base >> BigInt(WIDTH[family] - 8 * (i + 1))) & 0xffn),
  );
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`;
}

export function size({ family, prefix }: Cidr): bigint {
  return 1n << BigInt(WIDTH[family] - prefix);
}

export function overlaps(left: Cidr, right: Cidr): boolean {
  if (left.family !== right.family) return false;
  return left.base < right.base + size(right) && right.base < left.base + size(left);
}

/** Whether every address of the second block is in the first. */
export function includes(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.prefix <= inner.prefix && overlaps(outer, inner);
}

/** The n-th block of `prefix` bits inside `block`; undefined when it has no such block. */
export function subnet(block: Cidr, prefix: number, index: number): Cidr | undefined {
  if (prefix < block.prefix || prefix > WIDTH[block.family]) return undefined;
  const step = 1n << BigInt(WIDTH[block.family] - prefix);
  const base = block.base + step * BigInt(index);
  return base + step <= block.base + size(block) ? { family: block.family, base, prefix } : undefined;
}
