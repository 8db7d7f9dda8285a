/** A port: who may connect is up to `take`, how many at once is not. */
import { createServer, type Server, type Socket } from 'node:net';
import { SlipwayError } from '#lib/api/errors.ts';
import { type Address, formatAddress } from './address.ts';
import type { Limits } from './limits.ts';

/** Closes connections over the limit at once; `take` gets all others. */
export function listener({ connections }: Pick<Limits, 'connections'>, take: (socket: Socket) => void): Server {
  const server = createServer({ keepAlive: true, noDelay: true }, take);
  server.maxConnections = connections;
  return server;
}

/** Listens, and returns the address with the port in use. Throws Unavailable when that is impossible. */
export function listen(server: Server, address: Address): Promise<string> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new SlipwayError('Unavailable', `cannot listen on "${formatAddress(address)}": ${cause.message}`, { cause }),
      ),
    );
    // Later: a connection that could not be accepted, because too many files are open. The next one may be.
    server.on('error', () => undefined);
    // Without a host, Node.js listens on :: for both families, and on 0.0.0.0 where the kernel has no IPv6.
    server.listen(host === '' ? { port } : { host, port }, () => {
      const bound = server.address();
      resolve(formatAddress({ host, port: bound === null || typeof bound === 'string' ? port : bound.port }));
    });
  });
}
