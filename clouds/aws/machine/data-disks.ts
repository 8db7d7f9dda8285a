/** Data disks are blocks of the instance, which AWS makes and deletes with it. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { DataDisk } from '#lib/api/fields/machine-template.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { diskList } from '#lib/cloud/data-disks.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import type { MachineProgress } from '#lib/cloud/machine.ts';
import type { Situation } from './situation.ts';
import { blockName } from '../devices.ts';
import { tagsOf } from './tags.ts';

const LIST = 'ebsBlockDevice';
/** Lists of forProvider that others change: drivers of volumes, and networks of pods, which add addresses. */
export const CHANGED_BY_OTHERS = [LIST, 'secondaryPrivateIps'] as const;
/** Only an instance that is made again would get it, and its machine is lost then. */
const STAND_IN = { deviceName: blockName(0), volumeSize: 1, encrypted: true, deleteOnTermination: true } as const;

/** @param observed the managed resource of the instance */
export function dataDisks(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  observed: KubeObject | undefined,
  stage: Pick<MachineProgress, 'id'>,
): JsonObject {
  const made = ({ name, sizeGiB, type, encrypted }: DataDisk, index: number): JsonObject => {
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
  };
  return diskList(situation, LIST, observed, stage, made, STAND_IN);
}
