/** Where a cluster is, as every cloud decides it before it composes anything. */
import type { ExistingParts } from './existing-parts.ts';
import type { ClusterSituation } from './infrastructure.ts';
import type { PodTraffic, ServedPort } from './traffic.ts';

/** @typeParam Input  the neutral input and the section of a cloud @typeParam Network  as this cloud has it */
export interface ClusterSite<Input, Network> {
  readonly cluster: string;
  readonly namespace: string;
  readonly region: string;
  readonly network: Network;
  /** What somebody else provides besides the network. */
  readonly existing: ExistingParts;
  /** Whether Slipway creates a load balancer for the API. */
  readonly loadBalancer: boolean;
  /** Ports of control-plane machines besides the Kubernetes API, for machines of the same cluster. */
  readonly joinPorts: readonly ServedPort[];
  /** Traffic between machines for the pod network. */
  readonly podTraffic: readonly PodTraffic[];
  readonly input: Input;
}

/** Blocks from which the API may be called. */
export interface ApiClients {
  /** Blocks of the claim, or those that stay open without it; sorted, each once, as clouds accept their rules. */
  readonly allowedCIDRs: readonly string[];
  /** With the blocks of the management cluster, sorted. */
  readonly clientCIDRs: readonly string[];
}

/** @param allowed  blocks of the claim */
export function apiClients(
  { input }: { readonly input: Pick<ClusterSituation['input'], 'managementCIDRs'> },
  allowed: readonly string[],
): ApiClients {
  const allowedCIDRs = [...new Set(allowed)].sort();
  return { allowedCIDRs, clientCIDRs: [...new Set([...allowedCIDRs, ...input.managementCIDRs])].sort() };
}
