/**
 * Data disks are objects of their own, which the machine is created with. The provider detaches a disk from its machine to
 * delete it, so that a Usage keeps it until the node is drained.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { DataDisk } from '#lib/api/fields/machine-template.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { diskList, diskObjects } from '#lib/cloud/data-disks.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { usageByNode } from '#lib/cloud/drain.ts';
import { failureDomainOf } from '#lib/cloud/failure-domain.ts';
import type { MachineProgress } from '#lib/cloud/machine.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { diskName } from '../names.ts';
import { machineLabels } from './labels.ts';
import { nameOf, VM } from './name.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';

/** Field of the machine. */
export const LIST = 'attachedDisk';

export function dataDisks(situation: Situation, infrastructure: InfrastructureStatus): readonly Entry[] {
  const { machine, input } = situation;
  const zone = failureDomainOf(situation, infrastructure)?.name;
  const disks = diskObjects(situation, VM, (disk) => {
    const { name, sizeGiB, type, encrypted } = disk;
    const key = encrypted ? encryptionKey(infrastructure, input.gcp.kmsKey) : undefined;
    return managed(situation, 'Disk', {
      name: `${machine.metadata.name}-${name}`,
      externalName: cloudName(situation, infrastructure, disk),
      forProvider: {
        zone,
        size: sizeGiB,
        type: type ?? input.gcp.diskType,
        labels: machineLabels(situation, infrastructure),
        ...(key === undefined ? {} : { diskEncryptionKey: { kmsKeySelfLink: key } }),
      },
    });
  });
  return [...disks, ...usages(situation, disks)];
}

/** A Usage refers to objects that exist. */
function usages({ machine, observed }: Situation, disks: readonly Entry[]): readonly Entry[] {
  if (!observed.has('node')) return [];
  const existing = disks.filter(([key]) => observed.has(key));
  return existing.map(([key, disk]) => [
    `drain-${key}`,
    usageByNode(machine, `drain-${key}`, disk, 'the node is drained before its disks are detached'),
  ]);
}

/** @param observed the managed resource of the machine */
export function attachedDisks(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  observed: KubeObject | undefined,
  stage: Pick<MachineProgress, 'id'>,
): JsonObject {
  const made = (disk: DataDisk): JsonObject => ({
    source: cloudName(situation, infrastructure, disk),
    deviceName: disk.name,
    mode: 'READ_WRITE',
  });
  // With no list in either part, the provider detaches every disk that it finds. No machine can be created with this
  // one, its own boot disk, so that GCP has to have the machine already.
  return diskList(situation, LIST, observed, stage, made, { source: nameOf(situation, infrastructure) });
}

function cloudName(situation: Situation, infrastructure: InfrastructureStatus, { name }: DataDisk): string {
  return diskName(nameOf(situation, infrastructure), name);
}
