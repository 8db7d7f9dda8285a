/** How first-boot data reaches a machine on AWS: as a secret, or unencrypted as user data, which is in base64. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Delivery, deliveryOf as deliver } from '#lib/cloud/delivery.ts';
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import { fitting } from '#lib/cloud/size.ts';
import { handOver } from './hand-over.ts';
import { forItsInstance, isForItsInstance } from './reader.ts';
import type { Situation } from './situation.ts';
import { USER_DATA } from './size.ts';

/**
 * @param instance as observed
 * @param registered whether its node is known, so that its first boot is over
 */
export function deliveryOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
  instance: KubeObject | undefined,
  registered: boolean,
): Delivery<string> {
  const { userData, allowInClear } = situation.input.aws;
  const cloud = {
    section: 'aws',
    store: 'Secrets Manager',
    place: 'user data',
    wantsSecret: userData === 'SecretsManager',
    allowInClear,
    inClear: () => fitting(boot, USER_DATA, situation.owner),
    handOver: () => handOver(situation, infrastructure, boot),
    written: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
    made,
    isComplete: isForItsInstance,
  };
  const delivery = deliver(situation, boot, cloud, instance, registered);
  return { ...delivery, resources: forItsInstance(delivery.resources, situation) };
}

function made(instance: KubeObject): { readonly userData: string; readonly bytes: Uint8Array } | undefined {
  const userData = stringAt(instance, 'spec', 'initProvider', 'userDataBase64');
  return userData === undefined ? undefined : { userData, bytes: Buffer.from(userData, 'base64') };
}
