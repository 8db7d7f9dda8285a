/** GCP for the cluster step: what needs an id that the cloud gives follows once it is known. */
import { type KubeObject, own } from '#lib/api/json.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { UNREACHABLE } from '#lib/cloud/api-clients.ts';
import { firstEndpoint, whatStays } from '#lib/cloud/endpoint.ts';
import type { Infrastructure, InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { isComplete } from '#lib/cloud/known-infrastructure.ts';
import { mappedRegion } from '#lib/cloud/region.ts';
import { isOfGcp, MACHINE_KINDS } from '../kinds.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { REFERENCES } from './references.ts';
import { firewalls, isKnownFirewall } from './firewalls.ts';
import { identity } from './identity.ts';
import { GcpInput } from './input.ts';
import { loadBalancer } from './load-balancer.ts';
import { network } from './network.ts';
import { output } from '#lib/cloud/observed.ts';
import { whyNotReady } from './observed.ts';
import { isKnownGrant } from './roles.ts';
import { siteOf } from './site.ts';
import type { Input, Situation } from './situation.ts';
import { statusOf } from './status.ts';

export const gcp: InfrastructureCloud<Input> & { readonly input: typeof GcpInput } = {
  title: 'GCP',
  references: REFERENCES,
  overridable: OVERRIDABLE,
  nativeNames: NATIVE_NAMES,
  input: GcpInput,
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
  return {
    resources: new Map([
      ...(site.network.kind === 'composed' ? network(site, site.network, observed) : []),
      ...firewalls(site, observed),
      ...loadBalancer(site, observed),
      ...identity(site, observed),
    ]),
    status,
    zones: site.network.zones,
    complete: isComplete(site.network.zones, status),
    endpoint: firstEndpoint(situation, hostOf(situation)),
    notes: [
      ...whatStays(situation, site.region, mappedRegion(situation), hostOf(situation)),
      ...(site.clientCIDRs.length === 0 ? [UNREACHABLE] : []),
    ],
  };
}

function hostOf({ observed }: Situation): string | undefined {
  return output(observed.get('api-address'), 'address');
}

const REMOVABLE: Readonly<Record<string, (key: string) => boolean>> = {
  Firewall: isKnownFirewall,
  ProjectIAMMember: isKnownGrant,
  ServiceAccountIAMMember: isKnownGrant,
};

/**
 * Machines may depend on anything except a firewall rule and a role: what is removed from claim or Composition must lose
 * its access. What this release would never create belongs to another release and stays.
 */
function mustStay(object: KubeObject, key: string): boolean {
  if (!isOfGcp(object)) return object.kind !== 'Secret' && isLabelled(object);
  return own(REMOVABLE, object.kind)?.(key) !== true;
}
