/** Looks names up for connections that must not lead back to this host, whatever the name resolves to. */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isLocal } from './local-address.ts';

/** Like `dns.lookup`, without addresses of this host; an error when no other is left. */
export const lookupElsewhere: LookupFunction = (hostname, options, callback) => {
  const all: LookupOptions = { ...options, all: true };
  systemLookup(hostname, all, (error, found) => {
    if (error !== null) return callback(error, []);
    const elsewhere = (found as LookupAddress[]).filter(({ address }) => !isLocal(address));
    const [first] = elsewhere;
    if (first === undefined) return callback(new Error('its name is an address of this host'), []);
    if (options.all === true) return callback(null, elsewhere);
    callback(null, first.address, first.family);
  });
};
