/** What a cluster on AWS reports for its pools and machines. */
import type { MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import { stringAt, own } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { KnownInfrastructure as Known } from '#lib/cloud/infrastructure.ts';
import {
  type FailureDomain,
  knownDomains,
  knownInfrastructure,
  networkStatus,
} from '#lib/cloud/known-infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { output } from '#lib/cloud/observed.ts';
import { EC2_METADATA_SERVICE } from '../metadata-service.ts';
import type { Situation } from './situation.ts';
import { firstBootSecrets, identityName } from './identity.ts';
import { whyNotReady } from './observed.ts';
import { type Site, zoneNames } from './site.ts';
import { clusterTags } from './tags.ts';

export function statusOf(site: Site, situation: Situation): Known {
  return knownInfrastructure({
    cloud: 'aws',
    region: site.region,
    id: site.id,
    network: networkOf(site, situation),
    apiAccess: apiAccess(site),
    failureDomains: failureDomains(site, situation),
    controlPlane: attachments(site, situation, 'controlPlane'),
    worker: attachments(site, situation, 'worker'),
    providerIDFormat: 'aws:///${failureDomain}/${instanceId}',
    metadataService: EC2_METADATA_SERVICE,
    existing: site.existing,
    tags: clusterTags(site),
  });
}

/** With the block that it has: the claim may say another one by now. */
function networkOf({ network }: Site, situation: Situation): Known['network'] {
  const vpc = situation.observed.get('vpc');
  const known = networkStatus(network, output(vpc, 'id'), situation);
  return known?.cidr === undefined ? known : { ...known, cidr: output(vpc, 'cidrBlock') ?? known.cidr };
}

function apiAccess({ api, loadBalancer }: Site): Known['apiAccess'] {
  return { ...(loadBalancer ? { scheme: api.scheme } : {}), ...(api.kept ? { keptCIDRs: [...api.allowedCIDRs] } : {}) };
}

function failureDomains(site: Site, situation: Situation): FailureDomain[] {
  const before = knownDomains(situation);
  const names = [...new Set([...zoneNames(site), ...before.keys()])].sort();
  return names.flatMap((name) => {
    const known = before.get(name);
    const subnet = subnetOf(site, situation, name) ?? known?.subnet;
    if (subnet === undefined || (known === undefined && !mayBeUsed(site, situation, name))) return [];
    return [{ name, subnet, controlPlane: true }];
  });
}

function subnetOf({ network }: Site, { observed }: Situation, zone: string): string | undefined {
  if (network.kind === 'existing') return own(network.privateSubnets, zone);
  return output(observed.get(`subnet-private-${zone}`), 'id');
}

/** While the cluster is being created, no machine is placed. A zone added later is listed once machines can use it. */
function mayBeUsed({ network }: Site, { observed, previous }: Situation, zone: string): boolean {
  if (previous.infrastructure?.ready !== true || network.kind === 'existing') return true;
  const gateway = network.zones.find(({ name }) => name === zone)?.gateway ?? zone;
  const parts = ['subnet-private', 'rt-private', 'route-private', 'rta-private'].map((part) => `${part}-${zone}`);
  return [...parts, `nat-${gateway}`].every((key) => whyNotReady(observed.get(key)) === undefined);
}

const MACHINES = {
  controlPlane: { role: 'control-plane', groups: ['sg-node', 'sg-lb', 'sg-controlplane'] },
  worker: { role: 'node', groups: ['sg-node', 'sg-lb'] },
} as const;

/** The whole status or, while a part is unknown, the previous one. */
function attachments(
  site: Site,
  situation: Situation,
  machines: keyof typeof MACHINES,
): MachineAttachments | undefined {
  const { role } = MACHINES[machines];
  const identity = identityOf(site, situation, machines);
  const securityGroups = groupsOf(site, situation, machines);
  const targets = machines === 'controlPlane' ? targetsOf(site, situation) : [];
  if (identity === undefined || securityGroups === undefined || targets === undefined)
    return situation.previous.infrastructure?.[machines];
  return { identity, securityGroups, loadBalancerTargets: targets, firstBootSecrets: firstBootSecrets(site, role) };
}

type Machines = keyof typeof MACHINES;

function identityOf(site: Site, { observed }: Situation, machines: Machines): string | undefined {
  if (site.existing.identities !== undefined) return site.existing.identities[machines];
  const { role } = MACHINES[machines];
  const profile = observed.get(`profile-${role}`);
  if (output(profile, 'id') === undefined) return undefined;
  return stringAt(profile?.metadata?.annotations, CROSSPLANE.externalName) ?? identityName(site, role);
}

function groupsOf({ existing }: Site, { observed }: Situation, machines: Machines): string[] | undefined {
  if (existing.securityGroups !== undefined) return [...existing.securityGroups[machines]];
  const { groups } = MACHINES[machines];
  const ids = groups.flatMap((key) => output(observed.get(key), 'id') ?? []);
  return ids.length < groups.length ? undefined : ids;
}

function targetsOf(
  { existing, loadBalancer, joinPorts }: Site,
  { observed }: Situation,
): MachineAttachments['loadBalancerTargets'] | undefined {
  if (existing.loadBalancerTargets !== undefined) return existing.loadBalancerTargets;
  const served = loadBalancer ? [API, ...joinPorts] : [];
  const targets = served.flatMap(({ name, port }) => {
    const id = output(observed.get(`tg-${name}`), 'arn');
    return id === undefined ? [] : [{ id, port }];
  });
  return targets.length < served.length ? undefined : targets;
}
