/** The registration of a control-plane machine with the load balancer of the API, which is kept once it is made. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { isSameId } from '../ids.ts';
import { ADDRESS, interfaceId, interfaceRef } from './network-interface.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { keptPart, managed } from './resource.ts';
import type { Situation } from './situation.ts';

/** Composition resource name. */
const ENDPOINT = 'endpoint';

/** @param key  composition resource name */
export function isEndpoint(key: string): boolean {
  return key === ENDPOINT;
}

/** @param exists whether the machine runs */
export function endpoint(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  exists: boolean,
): readonly Entry[] {
  const made = situation.observed.get(ENDPOINT);
  const targets = attachmentsOf(situation, infrastructure)?.loadBalancerTargets;
  if (made !== undefined) {
    // The Cluster does not report any: that is no reason to remove it.
    const isWanted = targets === undefined || targets.some(({ id }) => isSameId(id, poolIn(made)));
    return isWanted ? [[ENDPOINT, keptPart(made)]] : [];
  }
  const [target] = targets ?? [];
  if (target === undefined || !exists || !mayRegister(situation)) return [];
  const nic = interfaceId(situation, infrastructure);
  const resource = managed(situation, 'NetworkInterfaceBackendAddressPoolAssociation', {
    name: `${situation.machine.metadata.name}-${ENDPOINT}`,
    externalName: nic === undefined ? undefined : `${nic}/ipConfigurations/${ADDRESS}|${target.id}`,
    forProvider: {
      networkInterfaceIdRef: interfaceRef(situation),
      ipConfigurationName: ADDRESS,
      backendAddressPoolId: target.id,
    },
  });
  return [[ENDPOINT, resource]];
}

/**
 * A machine in the pool of a private frontend cannot reach itself by it. The first one starts the API; another one would
 * at times not reach those it joins, and waits until its node is ready.
 */
function mayRegister({ machine, observed }: Situation): boolean {
  return machine.spec.bootstrap.action === 'Init' || conditionOf(observed.get('node'), 'Ready')?.status === 'True';
}

function poolIn(endpoint: KubeObject): string | undefined {
  return stringAt(endpoint, 'spec', 'forProvider', 'backendAddressPoolId');
}
