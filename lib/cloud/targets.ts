/**
 * Where processes of the platform go because a claim says so: provider-node, provider-helm and provider-kubernetes to the
 * Kubernetes API of a cluster, provider-helm to repositories of charts. What machines of a cluster call is their own affair.
 */
import { includes, parseCidr } from '#lib/api/cidr.ts';
import { isLike } from '#lib/api/pattern.ts';
import { asRead, isOfPlatform } from '#lib/api/platform-host.ts';
import { isIP } from 'node:net';
import { ANY } from './limits.ts';

export type Limit = readonly string[] | undefined;

/** Accepted of a limit that is not set, or of all. */
const OUTSIDE =
  'a host outside the platform, so no loopback or link-local address, no metadata service and no Service of its cluster';

/** In words of messages. */
export function acceptedOf(limit: Limit = [ANY]): readonly string[] {
  return limit.map((one) => (one === ANY ? OUTSIDE : one));
}

/** @param limit  names, in which * stands for any text, and addresses or blocks of them */
export function mayBeEndpoint(host: string, limit: Limit): boolean {
  const name = asRead(host) ?? host;
  if (isOfPlatform(host)) return limit?.some((one) => names(one, name)) === true;
  return limit === undefined || limit.some((one) => names(one, name) || covers(one, name));
}

/** A whole host, or every name below one: that opens even what means the platform. */
function names(one: string, name: string): boolean {
  if (!one.includes('*')) return asRead(one) === name;
  const suffix = one.slice(1);
  return isIP(name) === 0 && one.startsWith('*.') && !suffix.includes('*') && name.endsWith(suffix);
}

function covers(one: string, name: string): boolean {
  const block = parseCidr(one);
  if (block === undefined) return isLike(name, one);
  const address = parseCidr(`${name}/${isIP(name) === 6 ? 128 : 32}`);
  return address !== undefined && includes(block, address);
}

/** @param limit  how repositories may begin */
export function mayBeRepository(repository: string, limit: Limit): boolean {
  const isClosed = isOfPlatform(authorityOf(repository).replace(/:[0-9]*$/, ''));
  if (limit === undefined) return !isClosed;
  // A path that leads up again, or is written in another way, is not below what it begins with.
  const isPlain = !/[%\\?#]|\/\.{1,2}(\/|$)/.test(repository);
  return limit.some((one) => {
    const place = authorityOf(one);
    if (one === ANY || place === '') return !isClosed && (one === ANY || repository.startsWith(one));
    return isPlain && isBelow(repository, one);
  });
}

/** Host and port as they are written. */
function authorityOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
}

/** Without a path, it has to be the whole host. */
function isBelow(repository: string, begin: string): boolean {
  if (!repository.startsWith(begin)) return false;
  const rest = repository.slice(begin.length);
  return rest === '' || rest.startsWith('/') || begin.replace('://', '').includes('/');
}
