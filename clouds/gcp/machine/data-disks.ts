/** Data disks are objects of their own, which the machine is created with. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { DataDisk } from '#lib/api/fields/machine-template.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type DiskList, diskList, diskObjects } from '#lib/cloud/data-disks.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { failureDomainOf } from '#lib/cloud/failure-domain.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { diskName } from '../names.ts';
import { machineLabels } from './labels.ts';
import { nameOf, VM } from './name.ts';
import { read } from './read.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';

/** Field of the machine. */
const LIST = 'attachedDisk';

export function dataDisks(situation: Situation, infrastructure: InfrastructureStatus): readonly Entry[] {
  const { machine, input } = situation;
  const zone = failureDomainOf(situation, infrastructure)?.name;
  return diskObjects(situation, VM, (disk) => {
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
}

/** @param observed the machine; undefined: it is created now */
export function attachedDisks(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  observed: KubeObject | undefined,
): DiskList {
  const list = diskList(situation, LIST, observed, (disk) => ({
    source: cloudName(situation, infrastructure, disk),
    deviceName: disk.name,
    mode: 'READ_WRITE',
  }));
  if (list.initProvider[LIST] !== undefined || !isMade(situation)) return list;
  // With no list in either part, the provider detaches every disk that it finds. No machine can be created with this
  // one, its own boot disk, so that GCP has to have the machine already.
  return { ...list, initProvider: { [LIST]: [{ source: nameOf(situation, infrastructure) }] } };
}

function isMade({ observed, previous }: Situation): boolean {
  return previous.instanceID !== undefined || read(observed).id !== undefined;
}

function cloudName(situation: Situation, infrastructure: InfrastructureStatus, { name }: DataDisk): string {
  return diskName(nameOf(situation, infrastructure), name);
}
