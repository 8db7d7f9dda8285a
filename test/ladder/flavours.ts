/** What the steps of a ladder look at on each flavour. */
import { NODE_API_VERSION } from '#lib/api/words.ts';

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface Flavour {
  /** Of its folder in examples/. */
  readonly name: string;
  /** What a Machine becomes. */
  readonly machine: Kind;
  /** What exists at once, and how many of it; undefined: somebody else has made all of it. */
  readonly first: (Kind & { readonly count: number }) | undefined;
  /** Maximum size of what the machine itself gets on first boot, in bytes. */
  readonly payload: number;
}

export const FLAVOURS: readonly Flavour[] = [
  {
    name: 'aws',
    machine: { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' },
    first: { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Subnet', count: 6 },
    payload: 16_384,
  },
  {
    name: 'azure',
    machine: { apiVersion: 'compute.azure.m.upbound.io/v1beta1', kind: 'LinuxVirtualMachine' },
    first: { apiVersion: 'azure.m.upbound.io/v1beta1', kind: 'ResourceGroup', count: 1 },
    payload: 65_536,
  },
  {
    name: 'existing',
    machine: { apiVersion: NODE_API_VERSION, kind: 'HostClaim' },
    first: undefined,
    payload: Infinity,
  },
  {
    name: 'gcp',
    machine: { apiVersion: 'compute.gcp.m.upbound.io/v1beta1', kind: 'Instance' },
    first: { apiVersion: 'compute.gcp.m.upbound.io/v1beta1', kind: 'Network', count: 1 },
    payload: 262_144,
  },
];
