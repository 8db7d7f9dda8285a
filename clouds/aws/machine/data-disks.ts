/** Data disks are blocks of the instance, which AWS makes and deletes with it. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type DiskList, diskList } from '#lib/cloud/data-disks.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import type { MachineProgress } from '#lib/cloud/machine.ts';
import type { Situation } from './situation.ts';
import { blockName } from '../devices.ts';
import { tagsOf } from './tags.ts';

/** @param observed the managed resource of the instance */
export function dataDisks(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  observed: KubeObject | undefined,
  stage: Pick<MachineProgress, 'id'>,
): DiskList {
  return diskList(situation, 'ebsBlockDevice', observed, stage, ({ name, sizeGiB, type, encrypted }, index) => {
    const { diskType, kmsKeyId } = situation.input.aws;
    const key = encryptionKey(infrastructure, kmsKeyId);
    const tags = tagsOf(situation, infrastructure);
    return {
      deviceName: blockName(index),
      volumeSize: sizeGiB,
      volumeType: type ?? diskType,
      encrypted,
      ...(encrypted && key !== undefined ? { kmsKeyId: key } : {}),
      deleteOnTermination: true,
      tags: { ...tags, Name: `${tags['Name'] ?? ''}-${name}` },
    };
  });
}
