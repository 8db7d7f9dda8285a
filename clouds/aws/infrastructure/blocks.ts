/**
 * Splits the node block into eight equal parts: the first for the public subnets, one of the others for the private
 * subnet of each zone. The split does not depend on the number of zones, and an existing subnet keeps its block, so
 * that a new zone does not renumber the others.
 */
import { type Cidr, formatCidr, overlaps, parseCidr, subnet } from '#lib/api/cidr.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import { refusal } from '#lib/api/refusal.ts';

export interface Blocks {
  readonly public: string;
  readonly private: string;
}

const PARTS = 8;
const BITS = 3; // log2 of PARTS
const LARGEST = 16; // a VPC takes /16 to /28
const SMALLEST = 28 - 2 * BITS; // a subnet takes /28 at least

export function nodeBlock(text: string, owner: string): Cidr {
  const block = parseCidr(text);
  if (block?.family === 4 && block.prefix >= LARGEST && block.prefix <= SMALLEST) return block;
  const accepted = `an IPv4 block from /${LARGEST} to /${SMALLEST}, large enough for a public and a private subnet of /28 or larger in each zone`;
  throw refusal(owner, 'spec.network.nodes', text, accepted);
}

/** The blocks of each zone, in the order given. */
export function blocksOf(
  block: Cidr,
  zones: readonly string[],
  observed: ReadonlyMap<string, KubeObject>,
  owner: string,
): readonly (readonly [string, Blocks])[] {
  const all = partsOf(block);
  const kept = new Map(zones.map((zone) => [zone, keptBlocks(zone, all, observed)] as const));
  const free = freeBlocks(all, [...kept.values()]);
  return zones.map((zone) => {
    const blocks = kept.get(zone) ?? free.shift();
    if (blocks !== undefined) return [zone, blocks];
    const accepted = `at most ${PARTS - 1} zones, since ${owner} has no address block left`;
    throw refusal(INPUT_NAME, 'zones', zone, accepted, 'InvalidInput');
  });
}

function partsOf(block: Cidr): readonly Blocks[] {
  return Array.from({ length: PARTS - 1 }, (_, i) => [
    subnet(block, block.prefix + 2 * BITS, i),
    subnet(block, block.prefix + BITS, i + 1),
  ]).flatMap(([open, closed]) =>
    open === undefined || closed === undefined ? [] : [{ public: formatCidr(open), private: formatCidr(closed) }],
  );
}

/** The blocks of the existing subnets of a zone; if only one exists, the other block is the one beside it. */
function keptBlocks(
  zone: string,
  all: readonly Blocks[],
  observed: ReadonlyMap<string, KubeObject>,
): Blocks | undefined {
  const block = (access: string) =>
    stringAt(observed.get(`subnet-${access}-${zone}`), 'spec', 'forProvider', 'cidrBlock');
  const [open, closed] = [block('public'), block('private')];
  const part = all.find((part) => part.public === open || part.private === closed);
  const [ownOpen, ownClosed] = [open ?? part?.public, closed ?? part?.private];
  return ownOpen === undefined || ownClosed === undefined ? undefined : { public: ownOpen, private: ownClosed };
}

/** Blocks that do not overlap existing ones, in order. */
function freeBlocks(all: readonly Blocks[], kept: readonly (Blocks | undefined)[]): Blocks[] {
  const used = kept
    .flatMap((blocks) => [blocks?.public, blocks?.private])
    .flatMap((text) => parseCidr(text ?? '') ?? []);
  const isFree = (text: string): boolean => {
    const block = parseCidr(text);
    return block !== undefined && used.every((other) => !overlaps(other, block));
  };
  return all.filter((part) => isFree(part.public) && isFree(part.private));
}
