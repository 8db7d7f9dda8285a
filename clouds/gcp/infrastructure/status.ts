/**
 * The infrastructure status: data for pools and machines. A known id is kept for ever: if it cannot be read any more,
 * it is taken from the status that an earlier call wrote.
 */
import type { InfrastructureStatus, MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import type { KnownInfrastructure as Known } from '#lib/cloud/infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { GCE_METADATA_SERVICE } from '../metadata-service.ts';
import { controlPlaneTag, nodeTag } from './firewalls.ts';
import { projectIn } from '../project.ts';
import { projectOfAccount } from './existing.ts';
import { accountOf, firstBootSecrets, projectOf } from './identity.ts';
import { clusterLabels } from './labels.ts';
import { groupId } from './load-balancer.ts';
import { output } from '#lib/cloud/observed.ts';
import { whyNotReady } from './observed.ts';
import { servedZones, type Site } from './site.ts';
import type { Situation } from './situation.ts';

type FailureDomain = InfrastructureStatus['failureDomains'][number];

export function statusOf(site: Site, situation: Situation): Known {
  const network = networkStatus(site, situation);
  const controlPlane = attachments(site, situation, 'controlPlane');
  const worker = attachments(site, situation, 'worker');
  const format = providerIDFormat(site, situation);
  return {
    contract: 1,
    cloud: 'gcp',
    region: site.region,
    id: site.id,
    ...(network === undefined ? {} : { network }),
    apiAccess: site.loadBalancer ? { scheme: site.scheme } : {},
    failureDomains: failureDomains(site, situation),
    ...(controlPlane === undefined ? {} : { controlPlane }),
    ...(worker === undefined ? {} : { worker }),
    ...(format === undefined ? {} : { providerIDFormat: format }),
    metadataService: GCE_METADATA_SERVICE,
    ...(Object.keys(site.existing).length === 0 ? {} : { existing: site.existing }),
    tags: clusterLabels(site),
  };
}

/** Whether it contains everything a machine needs. */
export function isComplete(site: Site, status: Known): boolean {
  const { network, failureDomains, controlPlane, worker, providerIDFormat: format } = status;
  const known = new Set(failureDomains.map(({ name }) => name));
  const parts = [network, controlPlane, worker, format];
  return parts.every((part) => part !== undefined) && site.network.zones.every((zone) => known.has(zone));
}

/** Machines are called by project, zone and name. */
function providerIDFormat(site: Site, situation: Situation): string | undefined {
  const project = projectOfMachines(site, situation);
  const { previous } = situation;
  if (previous.infrastructure?.providerIDFormat !== undefined) return previous.infrastructure.providerIDFormat;
  return project === undefined ? undefined : `gce://${project}/\${failureDomain}/\${instanceId}`;
}

/** That of the ProviderConfig: of what is made there. Accounts of somebody else may be in another one. */
function projectOfMachines({ network, existing: { identities } }: Site, { observed }: Situation): string | undefined {
  if (identities === undefined) return projectOf(observed);
  const made = [output(observed.get('network'), 'id'), output(observed.get('api-address'), 'id')];
  const known = made.map((id) => projectIn(id)).find((project) => project !== undefined);
  if (known !== undefined || network.kind === 'composed') return known;
  return projectIn(network.id) ?? projectOfAccount(identities.worker);
}

function networkStatus(site: Site, { observed, previous }: Situation): Known['network'] {
  if (site.network.kind === 'existing') return { id: site.network.id };
  const id = output(observed.get('network'), 'id') ?? previous.infrastructure?.network?.id;
  return id === undefined ? undefined : { id, cidr: site.network.cidr };
}

function failureDomains(site: Site, situation: Situation): FailureDomain[] {
  const { observed, previous } = situation;
  const before = new Map((previous.infrastructure?.failureDomains ?? []).map((zone) => [zone.name, zone]));
  const served = servedZones(site);
  const asked = situation.cluster.spec.controlPlane.machine.zones ?? [];
  const made = site.network.kind === 'existing' ? site.network.subnet : output(observed.get('subnet'), 'id');
  return [...new Set([...site.network.zones, ...before.keys()])].sort().flatMap((name) => {
    const known = before.get(name);
    const subnet = made ?? known?.subnet;
    if (subnet === undefined || (known === undefined && !mayBeUsed(site, situation, name))) return [];
    return [{ name, subnet, controlPlane: served === undefined || served.has(name) || asked.includes(name) }];
  });
}

/** A zone that is added later is listed once control planes can register in it. */
function mayBeUsed(site: Site, { observed, previous }: Situation, zone: string): boolean {
  if (previous.infrastructure?.ready !== true || !site.loadBalancer) return true;
  return whyNotReady(observed.get(`neg-${zone}`)) === undefined;
}

/** The whole status or, while a part is unknown, the previous one. */
function attachments(
  site: Site,
  { observed, previous }: Situation,
  machines: 'controlPlane' | 'worker',
): MachineAttachments | undefined {
  const role = machines === 'controlPlane' ? 'control-plane' : 'node';
  const { identities, securityGroups, loadBalancerTargets } = site.existing;
  const identity = identities === undefined ? accountOf(role, observed) : identities[machines];
  if (identity === undefined) return previous.infrastructure?.[machines];
  const tags = machines === 'controlPlane' ? [controlPlaneTag(site), nodeTag(site)] : [nodeTag(site)];
  const made = site.loadBalancer ? site.network.zones.map((zone) => ({ id: groupId(site, zone), port: API.port })) : [];
  return {
    identity,
    securityGroups: securityGroups === undefined ? tags : [...securityGroups[machines]],
    loadBalancerTargets: machines === 'controlPlane' ? (loadBalancerTargets ?? made) : [],
    firstBootSecrets: firstBootSecrets(site, role),
  };
}
