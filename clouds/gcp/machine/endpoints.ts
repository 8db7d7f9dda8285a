/**
 * Registrations of a control-plane machine with the load balancer of the API: with the group of its zone, once its
 * address is known, and then kept.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { nameOf } from './name.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';

type Entry = readonly [key: string, resource: KubeObject];

/** Composition resource name. */
const ENDPOINT = 'endpoint';

/** @param key  composition resource name */
export function isEndpoint(key: string): boolean {
  return key === ENDPOINT;
}

/**
 * @param zone of the machine, as the cloud tells
 * @param address of the machine; undefined: not known yet
 */
export function endpoints(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  zone: string | undefined,
  address: string | undefined,
): readonly Entry[] {
  const made = situation.observed.get(ENDPOINT);
  const targets = attachmentsOf(situation, infrastructure)?.loadBalancerTargets;
  if (made !== undefined) {
    // The Cluster does not report any: that is no reason to remove it.
    const isWanted = targets === undefined || targets.some(({ id }) => id === groupIn(made));
    return isWanted ? [[ENDPOINT, asDesired(made)]] : [];
  }
  const target = targets?.find(({ id }) => id.split('/')[0] === zone);
  if (target === undefined || zone === undefined || address === undefined || !mayRegister(situation)) return [];
  return [[ENDPOINT, endpoint(situation, infrastructure, zone, target.id, address)]];
}

/**
 * A machine behind the load balancer answers its own requests to its address. That suits the first one; another one
 * would call itself instead of those it joins, and waits until its node is ready.
 */
function mayRegister({ machine, observed }: Situation): boolean {
  return machine.spec.bootstrap.action === 'Init' || conditionOf(observed.get('node'), 'Ready')?.status === 'True';
}

function groupIn(endpoint: KubeObject): string {
  const made = at(endpoint, 'spec', 'forProvider');
  return `${stringAt(made, 'zone') ?? ''}/${stringAt(made, 'networkEndpointGroup') ?? ''}`;
}

// References cannot cross XRs, so names are values; they are part of the identity of a registration.
function endpoint(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  zone: string,
  group: string,
  address: string,
): KubeObject {
  return managed(situation, 'NetworkEndpoint', {
    name: `${situation.machine.metadata.name}-${ENDPOINT}`,
    forProvider: {
      zone,
      networkEndpointGroup: group.slice(zone.length + 1),
      instance: nameOf(situation, infrastructure),
      ipAddress: address,
    },
  });
}
