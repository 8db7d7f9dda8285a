/** What a cluster on Azure reports for its pools and machines. */
import type { MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import type { KnownInfrastructure as Known } from '#lib/cloud/infrastructure.ts';
import {
  type FailureDomain,
  knownDomains,
  knownInfrastructure,
  networkStatus,
} from '#lib/cloud/known-infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { secretsOf } from '../ids.ts';
import { AZURE_METADATA_SERVICE } from '../metadata-service.ts';
import { identityId, vaultId } from './identity.ts';
import { localAddress } from './local-address.ts';
import { poolOf } from './load-balancer.ts';
import { output } from '#lib/cloud/observed.ts';
import { GROUP } from './resource.ts';
import { securityGroupsOf } from './security.ts';
import type { Site } from './site.ts';
import type { Situation } from './situation.ts';
import { clusterTags } from './tags.ts';

export function statusOf(site: Site, situation: Situation): Known {
  return knownInfrastructure({
    cloud: 'azure',
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
    metadataService: AZURE_METADATA_SERVICE,
    existing: site.existing,
    tags: clusterTags(site),
  });
}

/** Machines are called by subscription, resource group and name. */
function providerIDFormat({ existing }: Site, { observed, previous }: Situation): string | undefined {
  if (previous.infrastructure?.providerIDFormat !== undefined) return previous.infrastructure.providerIDFormat;
  const group = existing.resourceGroup?.id ?? output(observed.get(GROUP), 'id');
  return group === undefined
    ? undefined
    : `azure://${group}/providers/Microsoft.Compute/virtualMachines/\${instanceId}`;
}

function failureDomains({ network }: Site, situation: Situation): FailureDomain[] {
  const before = knownDomains(situation);
  const made = output(situation.observed.get('subnet'), 'id');
  return [...new Set([...network.zones, ...before.keys()])].sort().flatMap((name) => {
    const named = network.kind === 'existing' ? network.subnets.get(name) : made;
    const subnet = named ?? before.get(name)?.subnet;
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
