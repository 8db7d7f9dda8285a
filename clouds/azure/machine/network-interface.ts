/**
 * The network interface of a machine, its security group and its groups of machines. It exists before the machine does,
 * and stays as it was created.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type JsonObject } from '#lib/api/json.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { deletedWithItsWhole } from '#lib/cloud/policies.ts';
import { idIn, SECURITY_GROUP_ID } from '../ids.ts';
import { partName } from '../names.ts';
import { groupIdOf, groupOf } from './group.ts';
import { nameOf } from './name.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { keptPart, managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { machineTags } from './tags.ts';

/** Composition resource name. */
const INTERFACE = 'nic';
/** Of its one address; registrations name it. */
export const ADDRESS = 'primary';

/** @param subnet its id; undefined: the interface exists */
export function networkInterface(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  subnet: string | undefined,
): readonly Entry[] {
  const made = situation.observed.get(INTERFACE);
  const forProvider: JsonObject = {
    ...(made === undefined ? created(situation, infrastructure, subnet) : keptOf(at(made, 'spec', 'forProvider'))),
    tags: machineTags(situation, infrastructure),
  };
  const resource = managed(situation, 'NetworkInterface', {
    name: nameOfInterface(situation),
    externalName: partName(nameOf(situation, infrastructure), INTERFACE),
    forProvider,
  });
  return [[INTERFACE, resource], ...groups(situation, infrastructure)];
}

/** A reference to it. */
export function interfaceRef(situation: Situation): JsonObject {
  return { name: nameOfInterface(situation) };
}

/** Its id; undefined: the Cluster does not report its resource group. */
export function interfaceId(situation: Situation, infrastructure: InfrastructureStatus): string | undefined {
  const group = groupIdOf(infrastructure);
  const name = partName(nameOf(situation, infrastructure), INTERFACE);
  return group === undefined ? undefined : idIn(group, 'Microsoft.Network/networkInterfaces', name);
}

function nameOfInterface({ machine }: Situation): string {
  return `${machine.metadata.name}-${INTERFACE}`;
}

function created({ input }: Situation, infrastructure: InfrastructureStatus, subnet: string | undefined): JsonObject {
  return {
    location: infrastructure.region,
    resourceGroupName: groupOf(infrastructure),
    ipConfiguration: [
      {
        name: ADDRESS,
        primary: true,
        privateIpAddressAllocation: 'Dynamic',
        ...(subnet === undefined ? {} : { subnetId: subnet }),
      },
    ],
    acceleratedNetworkingEnabled: input.azure.acceleratedNetworking,
    ipForwardingEnabled: input.azure.ipForwarding,
  };
}

const KEPT = [
  'location',
  'resourceGroupName',
  'ipConfiguration',
  'acceleratedNetworkingEnabled',
  'ipForwardingEnabled',
] as const;

function keptOf(made: unknown): JsonObject {
  const fields = KEPT.map((field) => [field, at(made, field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/**
 * Ids are values, because references cannot cross XRs; nothing of a membership can change. Azure deletes it with the
 * interface, which is there as long as the machine: without its groups, a node that still drains reaches nothing.
 */
function groups(situation: Situation, infrastructure: InfrastructureStatus): readonly Entry[] {
  const nic = interfaceId(situation, infrastructure);
  const ids = attachmentsOf(situation, infrastructure)?.securityGroups ?? [];
  const securityGroups = ids.filter((id) => SECURITY_GROUP_ID.test(id));
  const machines = ids.filter((id) => !SECURITY_GROUP_ID.test(id));
  const all: readonly (readonly [key: string, () => Entry])[] = [
    ...securityGroups.slice(0, 1).map((group) => member(situation, 'security-group', group, nic)),
    ...machines.map((group, n) => member(situation, `machines-${n}`, group, nic)),
  ];
  return all.map(([key, make]) => {
    const made = situation.observed.get(key);
    const [, membership] = made === undefined ? make() : [key, keptPart(made)];
    return [key, deletedWithItsWhole(membership)];
  });
}

/** @param nic  the id of the interface */
function member(
  situation: Situation,
  key: string,
  group: string,
  nic: string | undefined,
): readonly [string, () => Entry] {
  const isSecurityGroup = key === 'security-group';
  const make = (): Entry => [
    key,
    managed(
      situation,
      isSecurityGroup
        ? 'NetworkInterfaceSecurityGroupAssociation'
        : 'NetworkInterfaceApplicationSecurityGroupAssociation',
      {
        name: `${situation.machine.metadata.name}-${key}`,
        externalName: nic === undefined ? undefined : `${nic}|${group}`,
        forProvider: {
          networkInterfaceIdRef: interfaceRef(situation),
          [isSecurityGroup ? 'networkSecurityGroupId' : 'applicationSecurityGroupId']: group,
        },
      },
    ),
  ];
  return [key, make];
}
