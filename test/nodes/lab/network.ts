/**
 * A separate network for the machines: a namespace with a bridge, isolated from the host, so that runs do not
 * interfere.
 */
import { execFileSync } from 'node:child_process';

export interface Network {
  /** Path of the namespace, for nsenter. */
  readonly namespace: string;
  readonly bridge: string;
  /** The address of the bridge: the load balancer listens on it, and it is the default gateway of machines. */
  readonly gateway: string;
  readonly prefix: number;
  remove(): void;
}

const BRIDGE = 'br0';

/** @param name of the namespace @param gateway address of the bridge @param prefix length of the block */
export function makeNetwork(name: string, gateway: string, prefix: number): Network {
  const ip = (...args: readonly string[]): void => {
    execFileSync('ip', args, { stdio: 'pipe' });
  };
  ip('netns', 'add', name);
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'link', 'add', BRIDGE, 'type', 'bridge');
  ip('-n', name, 'address', 'add', `${gateway}/${prefix}`, 'dev', BRIDGE);
  ip('-n', name, 'link', 'set', BRIDGE, 'up');
  return {
    namespace: `/run/netns/${name}`,
    bridge: BRIDGE,
    gateway,
    prefix,
    remove: () => ip('netns', 'delete', name),
  };
}
