/** Looks names up for connections that must not lead back to who makes them, whatever the name resolves to. */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isLocal } from '#lib/api/local-address.ts';

/**
 * Like `dns.lookup`, without addresses of this host; an error when no other is left.
 * @param own  another address that is left out: that of the API which this process itself belongs to
 */
export function lookupElsewhere(own?: string): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupOptions = { ...options, all: true };
    systemLookup(hostname, all, (error, found) => {
      if (error !== null) return callback(error, []);
      const others = (found as LookupAddress[]).filter(({ address }) => !isLocal(address));
      const elsewhere = others.filter(({ address }) => address !== own);
      const [first] = elsewhere;
      if (first === undefined)
        return callback(new Error(`its name is an address of ${others.length === 0 ? HOST : MANAGEMENT}`), []);
      if (options.all === true) return callback(null, elsewhere);
      callback(null, first.address, first.family);
    });
  };
}

const HOST = 'this host';
const MANAGEMENT = 'the management cluster';
