/** Azure for the cluster step: what needs an id that the cloud gives follows once it is known. */
import { type KubeObject, own } from '#lib/api/json.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { UNREACHABLE } from '#lib/cloud/api-clients.ts';
import { firstEndpoint, whatStays } from '#lib/cloud/endpoint.ts';
import type { Infrastructure, InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { isComplete } from '#lib/cloud/known-infrastructure.ts';
import { mappedRegion } from '#lib/cloud/region.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { isOfAzure, MACHINE_KINDS } from '../kinds.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { REFERENCES } from './references.ts';
import { identity } from './identity.ts';
import { AzureInput } from './input.ts';
import { apiAddress, loadBalancer } from './load-balancer.ts';
import { network } from './network.ts';
import { whyNotReady } from './observed.ts';
import { GROUP, managed } from './resource.ts';
import { isKnownGrant } from './roles.ts';
import { security } from './security.ts';
import { ipv4, isKnownRule } from './security-rules.ts';
import { type Site, siteOf } from './site.ts';
import type { Input, Situation } from './situation.ts';
import { statusOf } from './status.ts';
import { clusterTags } from './tags.ts';

export const azure: InfrastructureCloud<Input> & { readonly input: typeof AzureInput } = {
  title: 'Azure',
  references: REFERENCES,
  overridable: OVERRIDABLE,
  nativeNames: NATIVE_NAMES,
  input: AzureInput,
  plan,
  whyNotReady,
  mustStay,
  machineKinds: MACHINE_KINDS,
  controlPlane: 'machines',
};

function plan(situation: Situation): Infrastructure {
  const { observed } = situation;
  const site = siteOf(situation);
  const status = statusOf(site, situation);
  const host = apiAddress(observed);
  return {
    resources: new Map([
      ...resourceGroup(site),
      ...(site.network.kind === 'composed' ? network(site, site.network, observed) : []),
      ...security(site, observed),
      ...loadBalancer(site, observed),
      ...identity(site, situation),
    ]),
    status,
    zones: site.network.zones,
    complete: isComplete(site.network.zones, status),
    endpoint: firstEndpoint(situation, host),
    notes: [...whatStays(situation, site.region, mappedRegion(situation), host), ...accessNotes(site)],
  };
}

function resourceGroup(site: Site): readonly Entry[] {
  if (site.existing.resourceGroup !== undefined) return [];
  return [managed(site, 'ResourceGroup', GROUP, { tags: clusterTags(site) }, site.id)];
}

/** Addresses of machines and of the load balancer are of IPv4. */
function accessNotes({ clientCIDRs }: Site): readonly string[] {
  const usable = ipv4(clientCIDRs);
  const others = clientCIDRs.filter((block) => !usable.includes(block));
  return [
    ...(usable.length === 0 ? [UNREACHABLE] : []),
    ...(others.length === 0 ? [] : [`the Kubernetes API has no address for clients of ${others.join(', ')}`]),
  ];
}

const REMOVABLE: Readonly<Record<string, (key: string) => boolean>> = {
  SecurityRule: isKnownRule,
  RoleAssignment: isKnownGrant,
};

/**
 * Machines may depend on anything except a security rule and a role: what is removed from claim or Composition must lose
 * its access. What this release would never create belongs to another release and stays.
 */
function mustStay(object: KubeObject, key: string): boolean {
  if (!isOfAzure(object)) return object.kind !== 'Secret' && isLabelled(object);
  return own(REMOVABLE, object.kind)?.(key) !== true;
}
