/**
 * A network of its own for each lab, with loopback only: every port is free in it, and two labs can run side by side.
 */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { MissingError } from './binaries/find.ts';

/** Brings loopback up in a new network, and becomes the command. */
const ENTER = ['unshare', '--net', 'sh', '-ec', 'ip link set lo up; exec "$@"', 'sh'] as const;

/** Who listens on which; there is no setting. */
const FIXED_PORTS = new Map([
  [8080, "Crossplane's RBAC manager"],
  [9443, 'provider-kubernetes'],
]);

/** The command in a network of its own; undefined where this host lets nobody make one. */
export function inOwnNetwork(command: readonly string[]): readonly string[] | undefined {
  const [program, ...args] = ENTER;
  return spawnSync(program, [...args, 'true']).status === 0 ? [...ENTER, ...command] : undefined;
}

/** For a lab in the network of this host. Throws MissingError, naming the port, when one is taken. */
export async function fixedPortsAreFree(): Promise<void> {
  for (const [port, who] of FIXED_PORTS) await isFree(port, who);
}

async function isFree(port: number, who: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new MissingError(`cannot start ${who}: port ${port} is not free: ${error.message}`)),
    );
    server.listen(port, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
