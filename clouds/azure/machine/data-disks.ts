/**
 * Data disks and what attaches them. The provider creates virtual machines without them: they are attached once the
 * machine exists, about when its first boot begins. The machine is created once they exist.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { dataDisksOf, diskKey, diskObjects } from '#lib/cloud/data-disks.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { failureDomainOf } from '#lib/cloud/failure-domain.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { deletedWithItsWhole } from '#lib/cloud/policies.ts';
import { idIn } from '../ids.ts';
import { partName } from '../names.ts';
import { zoneNumber } from '../zones.ts';
import { groupIdOf, groupOf } from './group.ts';
import { nameOf, VM } from './name.ts';
import { keptPart, managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { machineTags } from './tags.ts';

/** @param exists whether the machine runs */
export function dataDisks(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  exists: boolean,
): readonly Entry[] {
  const { machine, input } = situation;
  const zone = failureDomainOf(situation, infrastructure)?.name;
  const key = encryptionKey(infrastructure, input.azure.diskEncryptionSetId);
  const disks = diskObjects(situation, VM, ({ name, sizeGiB, type }) =>
    managed(situation, 'ManagedDisk', {
      name: `${machine.metadata.name}-${name}`,
      externalName: partName(nameOf(situation, infrastructure), name),
      forProvider: {
        location: infrastructure.region,
        resourceGroupName: groupOf(infrastructure),
        ...(zone === undefined ? {} : { zone: zoneNumber(zone) }),
        createOption: 'Empty',
        diskSizeGb: sizeGiB,
        storageAccountType: type ?? input.azure.diskType,
        ...(key === undefined ? {} : { diskEncryptionSetId: key }),
        tags: machineTags(situation, infrastructure),
      },
    }),
  );
  return [...disks, ...(exists ? attachments(situation, infrastructure) : [])];
}

function attachmentId(situation: Situation, infrastructure: InfrastructureStatus, disk: string): string | undefined {
  const group = groupIdOf(infrastructure);
  const vm = nameOf(situation, infrastructure);
  return group && `${idIn(group, 'Microsoft.Compute/virtualMachines', vm)}/dataDisks/${partName(vm, disk)}`;
}

const attachmentKey = (disk: string): string => `attached-${disk}`;

/** Azure detaches a disk with the machine: a node that still drains has its disks. */
function attachments(situation: Situation, infrastructure: InfrastructureStatus): readonly Entry[] {
  const { machine, observed } = situation;
  return dataDisksOf(situation).flatMap((disk, lun): readonly Entry[] => {
    const key = attachmentKey(disk.name);
    const made = observed.get(key);
    if (!observed.has(diskKey(disk))) return [];
    const name = `${machine.metadata.name}-${key}`;
    const attachment =
      made === undefined
        ? managed(situation, 'VirtualMachineDataDiskAttachment', {
            name,
            externalName: attachmentId(situation, infrastructure, disk.name),
            forProvider: {
              virtualMachineIdRef: { name: machine.metadata.name },
              managedDiskIdRef: { name: `${machine.metadata.name}-${disk.name}` },
              lun,
              // Azure accepts no other for disks of 4 TiB, nor for some types.
              caching: 'None',
            },
          })
        : keptPart(made);
    return [[key, deletedWithItsWhole(attachment)]];
  });
}
