/** GCP for the cluster step: what needs an id that the cloud gives follows once it is known. */
import { type KubeObject, own } from '#lib/api/json.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { UNREACHABLE } from '#lib/cloud/api-clients.ts';
import type { Endpoint, Infrastructure, InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { isOfGcp, MACHINE_KINDS } from '../kinds.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { firewalls, isKnownFirewall } from './firewalls.ts';
import { identity } from './identity.ts';
import { GcpInput } from './input.ts';
import { loadBalancer } from './load-balancer.ts';
import { network } from './network.ts';
import { output, whyNotReady } from './observed.ts';
import { isKnownGrant } from './roles.ts';
import { mappedRegion, type Site, siteOf } from './site.ts';
import type { Input, Situation } from './situation.ts';
import { isComplete, statusOf } from './status.ts';

export const gcp: InfrastructureCloud<Input> & { readonly input: typeof GcpInput } = {
  title: 'GCP',
  overridable: OVERRIDABLE,
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
    complete: isComplete(site, status),
    endpoint: endpointOf(situation),
    notes: notesOf(site, situation),
  };
}

/** Certificates and nodes use the first endpoint. */
function endpointOf({ cluster, previous, observed }: Situation): Endpoint | undefined {
  const known = cluster.spec.controlPlane.endpoint ?? previous.controlPlaneEndpoint;
  if (known !== undefined) return { host: known.host, port: known.port };
  const host = output(observed.get('api-address'), 'address');
  return host === undefined ? undefined : { host, port: API.port };
}

function notesOf(site: Site, situation: Situation): readonly string[] {
  const mapped = mappedRegion(situation);
  const host = output(situation.observed.get('api-address'), 'address');
  const known = situation.previous.controlPlaneEndpoint?.host;
  const isMoved = site.loadBalancer && host !== undefined && known !== undefined && host !== known;
  return [
    ...(mapped === site.region
      ? []
      : [`the cluster stays in ${site.region}, although the Composition now maps its region to ${mapped}`]),
    ...(isMoved ? [`the load balancer now has the address ${host}, but certificates and nodes use ${known}`] : []),
    ...(site.clientCIDRs.length === 0 ? [UNREACHABLE] : []),
  ];
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
