/**
 * Hosts that mean the platform itself where one of its processes calls them: its own machine, the metadata service of that
 * machine, and Services of its cluster. A name can lead there all the same, which only the network can hinder.
 */
import { isIP } from 'node:net';
import { isLocal } from './local-address.ts';

/** Of metadata services whose addresses are known by a name of more than one label. */
const METADATA = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal']);

/** @param host  a name or an address, with or without brackets */
export function isOfPlatform(host: string): boolean {
  const written = bare(host.toLowerCase());
  const read = asRead(written);
  // Not every program reads such an address, or the number that a name ends in, alike.
  if (read === undefined || (isIP(read) === 4 && read !== written)) return true;
  return isLocal(read) || METADATA.has(read) || (isIP(read) === 0 && isService(read));
}

/** As a program reads it that knows every notation; undefined: it is no host. */
export function asRead(host: string): string | undefined {
  const url = URL.parse(`https://${isIP(host) === 6 ? `[${host}]` : host}`);
  let name = bare(url?.hostname ?? '');
  while (name.endsWith('.')) name = name.slice(0, -1);
  return name === '' || url?.host !== url?.hostname || url?.pathname !== '/' ? undefined : name;
}

/**
 * Names that pods of a cluster look up in it: by one label for a neighbour, and by the namespace where that can be told
 * from a domain. No top-level domain has a hyphen, but for those in other scripts.
 */
function isService(name: string): boolean {
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length === 1 || last === 'svc' || last === 'default') return true;
  return (
    name.endsWith('.cluster.local') || name === 'cluster.local' || (last.includes('-') && !last.startsWith('xn--'))
  );
}

function bare(host: string): string {
  return host.replaceAll(/^\[|\]$/g, '');
}
