/**
 * Blocks that no pods, Services or machines can have: the API server judges new ones by CEL and the functions those of
 * new Clusters; no schema does when it parses, because an older claim may have one.
 */
import { overlaps, parseCidr } from './cidr.ts';

/** This host, loopback, link-local, multicast and reserved addresses. */
const RESERVED = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  'fe80::/10',
  'ff00::/8',
] as const;

/** CEL over `self`: a block apart from them. What is no block has a rule of its own. */
export const USABLE_CEL = `!isCIDR(self) || (${RESERVED.map(
  (block) => `!cidr('${block}').containsIP(cidr(self).ip()) && !cidr(self).containsIP(cidr('${block}').ip())`,
).join(' && ')})`;

/** As the API server and the functions say it. */
export const USABLE_RULE = `is not accepted; accepted: a block apart from ${RESERVED.join(', ')}, whose addresses no network can give away`;

/** Whether a block is apart from them; what is no block has a rule of its own. */
export function isUsable(text: string): boolean {
  const block = parseCidr(text);
  return !RESERVED.map((one) => parseCidr(one)).some(
    (one) => one !== undefined && block !== undefined && overlaps(one, block),
  );
}
