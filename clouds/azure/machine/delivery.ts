/** How first-boot data reaches a machine on Azure: as secrets of a vault, or as custom data, which is in base64. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type Delivery, deliveryOf as deliver } from '#lib/cloud/delivery.ts';
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import { fitting } from '#lib/cloud/size.ts';
import { customDataIn } from './custom-data.ts';
import { handOver, isHandOver } from './hand-over.ts';
import type { Situation } from './situation.ts';
import { CUSTOM_DATA } from './size.ts';

/**
 * @param vm as observed
 * @param registered whether its node is known, so that its first boot is over
 */
export function deliveryOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
  vm: KubeObject | undefined,
  registered: boolean,
): Delivery<string> {
  const { userData, allowInClear } = situation.input.azure;
  const cloud = {
    section: 'azure',
    store: 'Key Vault',
    place: 'custom data',
    wantsSecret: userData === 'KeyVault',
    allowInClear,
    inClear: () => fitting(boot, CUSTOM_DATA, situation.owner),
    handOver: () => handOver(situation, infrastructure, boot),
    written: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
    made: () => made(situation),
    isHandOver,
  };
  return deliver(situation, boot, cloud, vm, registered);
}

function made(situation: Situation): { readonly userData: string; readonly bytes: Uint8Array } | undefined {
  const userData = customDataIn(situation);
  return userData === undefined ? undefined : { userData, bytes: Buffer.from(userData, 'base64') };
}
