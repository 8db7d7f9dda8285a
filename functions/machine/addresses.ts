/** Names and addresses of a machine, as its cloud tells them. */
import type { Situation } from './situation.ts';
import type { MachineState } from './state.ts';

/** Types of addresses: IP addresses, where the caller may not be able to resolve names of the machine. */
export const IPS: ReadonlySet<string> = new Set(['InternalIP', 'ExternalIP']);
const NAMES: ReadonlySet<string> = new Set(['InternalDNS', 'ExternalDNS', 'Hostname']);
const MOST = 16;

/** Those of the types; the last known ones while the cloud tells none. */
export function addressesOf(
  { virtualMachine }: MachineState,
  { addresses: before = [] }: Situation['previous'],
  types: ReadonlySet<string>,
): string[] {
  const now = virtualMachine.addresses.length > 0 ? virtualMachine.addresses : before;
  const own = now.filter(({ type }) => types.has(type)).map(({ address }) => address);
  return [...new Set(own)].slice(0, MOST);
}

/** What the certificate of its kubelet may be valid for: never what only its Node says. */
export function servingCertificates({ machine, previous }: Situation, state: MachineState) {
  const names = [machine.metadata.name, ...addressesOf(state, previous, NAMES)].slice(0, MOST);
  return { approve: true, names: [...new Set(names)], addresses: addressesOf(state, previous, IPS) };
}
