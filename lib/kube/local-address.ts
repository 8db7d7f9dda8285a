/** Addresses that mean the host itself, whoever asks: a kubeconfig of somebody else must not lead there. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const RANGES = new Set(['loopback', 'linkLocal', 'unspecified', 'broadcast', 'multicast']);
/** Of services that tell a machine its credentials, where they are not link-local. */
const METADATA = new Set(['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']);

/**
 * Loopback, link-local, unspecified and multicast addresses and metadata services, also inside IPv6.
 * @param host  an address without brackets, or a name; a name has to be looked up as well
 */
export function isLocal(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIP(name) === 0) return false;
  const address = embedded(ipaddr.process(name));
  return RANGES.has(address.range()) || METADATA.has(address.toString());
}

/** The IPv4 address that a translator at the edge of the network takes out of it. */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address.range() === 'rfc6052' ? ipaddr.fromByteArray(address.toByteArray().slice(-4)) : address;
}
