/** Free ports on loopback. They are released at once, so call this late and listen soon. */
import { createServer } from 'node:net';

export async function freePorts<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
  // All are held until the last is known, because the kernel could return the same port twice.
  const held = await Promise.all(names.map(async (name) => [name, await hold()] as const));
  await Promise.all(held.map(([, { release }]) => release()));
  return Object.fromEntries(held.map(([name, { port }]) => [name, port])) as Record<Name, number>;
}

async function hold(): Promise<{ readonly port: number; readonly release: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) };
}
