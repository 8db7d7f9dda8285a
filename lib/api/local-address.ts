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

/** The IPv4 address that a translator or a tunnel at the edge of the network takes out of it. */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === '6to4') return ipaddr.fromByteArray(bytes.slice(2, 6));
  const isCompatible = bytes.length === 16 && bytes.slice(0, 12).every((byte) => byte === 0);
  const isTranslated = range === 'rfc6052' || range === 'rfc6145' || isCompatible;
  return isTranslated ? ipaddr.fromByteArray(bytes.slice(-4)) : address;
}
