/** Names that Azure accepts, by kind, from its rules of resource names. */
import type { NameLimits } from '../../test/clouds/name-limits.ts';

/** Of most kinds of the network. */
const COMMON = /^[a-zA-Z0-9]([-\w.]{0,78}\w)?$/;

export const NAME_LIMITS: NameLimits = {
  ResourceGroup: /^[-\w.()]{0,89}[-\w()]$/,
  VirtualNetwork: /^[a-zA-Z0-9][-\w.]{0,62}\w$/,
  Subnet: COMMON,
  ApplicationSecurityGroup: COMMON,
  SecurityGroup: COMMON,
  SecurityRule: COMMON,
  NATGateway: COMMON,
  PublicIP: COMMON,
  LoadBalancer: COMMON,
  LoadBalancerBackendAddressPool: COMMON,
  LoadBalancerProbe: COMMON,
  LoadBalancerRule: COMMON,
  NetworkInterface: COMMON,
  UserAssignedIdentity: /^[a-zA-Z0-9][-\w]{2,127}$/,
  Vault: /^(?=.{3,24}$)[a-zA-Z](-?[a-zA-Z0-9])*$/,
  Secret: /^[-a-zA-Z0-9]{1,127}$/,
  ManagedDisk: COMMON,
  // With Linux; also the host name, which has no dots.
  LinuxVirtualMachine: /^[a-z0-9]([-a-z0-9]{0,62}[a-z0-9])?$/,
};
