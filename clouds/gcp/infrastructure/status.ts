/** What a cluster on GCP reports for its pools and machines. */
import type { MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import type { KnownInfrastructure as Known } from '#lib/cloud/infrastructure.ts';
import {
  type FailureDomain,
  knownDomains,
  knownInfrastructure,
  networkStatus,
} from '#lib/cloud/known-infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { GCE_METADATA_SERVICE } from '../metadata-service.ts';
import { controlPlaneTag, nodeTag } from './firewalls.ts';
import { projectIn } from '../project.ts';
import { projectOfAccount } from './existing.ts';
import { accountOf, firstBootSecrets, projectOf } from './identity.ts';
import { clusterLabels } from './labels.ts';
import { groupId } from './load-balancer.ts';
import { localAddress } from './local-address.ts';
import { output } from '#lib/cloud/observed.ts';
import { whyNotReady } from './observed.ts';
import { servedZones, type Site } from './site.ts';
import type { Situation } from './situation.ts';

export function statusOf(site: Site, situation: Situation): Known {
  return knownInfrastructure({
    cloud: 'gcp',
    region: site.region,
    id: site.id,
    network: networkStatus(site.network, output(situation.observed.get('network'), 'id'), situation),
    apiAccess: {
      ...(site.loadBalancer ? { scheme: site.scheme } : {}),
      ...localAddress(site, situation.cluster.spec.controlPlane.endpoint),
    },
    failureDomains: failureDomains(site, situation),
    controlPlane: attachments(site, situation, 'controlPlane'),
    worker: attachments(site, situation, 'worker'),
    providerIDFormat: providerIDFormat(site, situation),
    metadataService: GCE_METADATA_SERVICE,
    existing: site.existing,
    tags: clusterLabels(site),
  });
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

function failureDomains(site: Site, situation: Situation): FailureDomain[] {
  const { observed } = situation;
  const before = knownDomains(situation);
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
