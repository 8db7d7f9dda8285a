/** Names that Azure accepts, by kind, from its rules of resource names. */
import type { NameRule } from '#simulator/cloud/names.ts';
import { refusedWith } from './refusal.ts';

const rule = (form: RegExp): NameRule => ({
  form,
  refusal: (name) => refusedWith('InvalidResourceName', `Resource name ${name} is invalid.`),
});

/** Of what may have a public endpoint, whether it has one or not. */
const withEndpoint = (form: RegExp): NameRule => ({
  form,
  beginnings: ['login', 'xbox'],
  parts: ['microsoft', 'windows'],
  refusal: (name) =>
    refusedWith(
      'ReservedResourceName',
      `The resource name '${name}' or a part of the name is a trademarked or reserved word.`,
    ),
});

/** Of most kinds of the network. */
const FORM = /^[a-zA-Z0-9]([-\w.]{0,78}\w)?$/;
const COMMON = rule(FORM);

export const NAMES: Readonly<Record<string, NameRule>> = {
  ResourceGroup: rule(/^[-\w.()]{0,89}[-\w()]$/),
  VirtualNetwork: rule(/^[a-zA-Z0-9][-\w.]{0,62}\w$/),
  Subnet: COMMON,
  ApplicationSecurityGroup: COMMON,
  SecurityGroup: COMMON,
  SecurityRule: COMMON,
  NATGateway: COMMON,
  PublicIP: withEndpoint(FORM),
  LoadBalancer: withEndpoint(FORM),
  LoadBalancerBackendAddressPool: COMMON,
  LoadBalancerProbe: COMMON,
  LoadBalancerRule: COMMON,
  NetworkInterface: COMMON,
  UserAssignedIdentity: rule(/^[a-zA-Z0-9][-\w]{2,127}$/),
  // Of all of Azure: no two dashes in a row.
  Vault: withEndpoint(/^(?=.{3,24}$)[a-zA-Z](-?[a-zA-Z0-9])*$/),
  Secret: rule(/^[-a-zA-Z0-9]{1,127}$/),
  ManagedDisk: COMMON,
  // With Linux; also the host name, which has no dots.
  LinuxVirtualMachine: rule(/^[a-z0-9]([-a-z0-9]{0,62}[a-z0-9])?$/),
};
