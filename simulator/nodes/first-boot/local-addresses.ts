/** Addresses that a host gives itself by a route, besides those of its network interfaces. */
import type { FirstBoot } from './format.ts';

const ROUTE = /\bip route (?:add|replace) local ([0-9.]+)\/32 dev lo\b/g;

export function localAddresses({ files, text }: FirstBoot): ReadonlySet<string> {
  const texts = [text, ...files.map(({ content }) => content)];
  return new Set(texts.flatMap((one) => [...one.matchAll(ROUTE)].map(([, address = '']) => address)));
}
