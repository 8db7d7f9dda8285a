/**
 * The infrastructure status: data for pools and machines. A known id is kept for ever: if it cannot be read any more,
 * it is taken from the status that an earlier call wrote.
 */
import type { InfrastructureStatus, MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import type { KnownInfrastructure as Known } from '#lib/cloud/infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { secretsOf } from '../ids.ts';
import { AZURE_METADATA_SERVICE } from '../metadata-service.ts';
import { identityId, vaultId } from './identity.ts';
import { poolOf } from './load-balancer.ts';
import { output } from '#lib/cloud/observed.ts';
import { GROUP } from './resource.ts';
import { securityGroupsOf } from './security.ts';
import type { Site } from './site.ts';
import type { Situation } from './situation.ts';
import { clusterTags } from './tags.ts';

type FailureDomain = InfrastructureStatus['failureDomains'][number];

export function statusOf(site: Site, situation: Situation): Known {
  const network = networkStatus(site, situation);
  const controlPlane = attachments(site, situation, 'controlPlane');
  const worker = attachments(site, situation, 'worker');
  const format = providerIDFormat(site, situation);
  return {
    contract: 1,
    cloud: 'azure',
    region: site.region,
    id: site.id,
    ...(network === undefined ? {} : { network }),
    apiAccess: site.loadBalancer ? { scheme: site.scheme } : {},
    failureDomains: failureDomains(site, situation),
    ...(controlPlane === undefined ? {} : { controlPlane }),
    ...(worker === undefined ? {} : { worker }),
    ...(format === undefined ? {} : { providerIDFormat: format }),
    metadataService: AZURE_METADATA_SERVICE,
    ...(Object.keys(site.existing).length === 0 ? {} : { existing: site.existing }),
    tags: clusterTags(site),
  };
}

/** Whether it contains everything a machine needs. */
export function isComplete(site: Site, status: Known): boolean {
  const { network, failureDomains: known, controlPlane, worker, providerIDFormat: format } = status;
  const names = new Set(known.map(({ name }) => name));
  const parts = [network, controlPlane, worker, format];
  return parts.every((part) => part !== undefined) && site.network.zones.every((zone) => names.has(zone));
}

/** Machines are called by subscription, resource group and name. */
function providerIDFormat({ existing }: Site, { observed, previous }: Situation): string | undefined {
  if (previous.infrastructure?.providerIDFormat !== undefined) return previous.infrastructure.providerIDFormat;
  const group = existing.resourceGroup?.id ?? output(observed.get(GROUP), 'id');
  return group === undefined
    ? undefined
    : `azure://${group}/providers/Microsoft.Compute/virtualMachines/\${instanceId}`;
}

function networkStatus(site: Site, { observed, previous }: Situation): Known['network'] {
  if (site.network.kind === 'existing') return { id: site.network.id };
  const id = output(observed.get('network'), 'id') ?? previous.infrastructure?.network?.id;
  return id === undefined ? undefined : { id, cidr: site.network.cidr };
}

function failureDomains({ network }: Site, { observed, previous }: Situation): FailureDomain[] {
  const before = new Map((previous.infrastructure?.failureDomains ?? []).map((zone) => [zone.name, zone.subnet]));
  const made = output(observed.get('subnet'), 'id');
  return [...new Set([...network.zones, ...before.keys()])].sort().flatMap((name) => {
    const named = network.kind === 'existing' ? network.subnets.get(name) : made;
    const subnet = named ?? before.get(name);
    return subnet === undefined ? [] : [{ name, subnet, controlPlane: true }];
  });
}

/** The whole status or, while a part is unknown, the previous one. */
function attachments(
  site: Site,
  { observed, previous }: Situation,
  machines: 'controlPlane' | 'worker',
): MachineAttachments | undefined {
  const role = machines === 'controlPlane' ? 'control-plane' : 'node';
  const serves = machines === 'controlPlane' && site.loadBalancer;
  const { existing } = site;
  const identity = identityId(role, site, observed);
  const securityGroups = existing.securityGroups?.[machines] ?? securityGroupsOf(role, observed);
  const [vault, pool] = [vaultId(role, observed), serves ? poolOf(observed) : undefined];
  const made = pool === undefined ? [] : [{ id: pool, port: API.port }];
  if (identity === undefined || securityGroups === undefined || vault === undefined || (serves && pool === undefined))
    return previous.infrastructure?.[machines];
  return {
    identity,
    securityGroups: [...securityGroups],
    loadBalancerTargets: machines === 'controlPlane' ? (existing.loadBalancerTargets ?? made) : [],
    firstBootSecrets: secretsOf(vault),
  };
}
