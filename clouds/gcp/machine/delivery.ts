/** How first-boot data reaches a machine on GCP: as a secret, or unencrypted as metadata. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { type Delivery, deliveryOf as deliver } from '#lib/cloud/delivery.ts';
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import { tooLarge } from '#lib/cloud/size.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { handOver } from './hand-over.ts';
import type { Situation } from './situation.ts';
import { METADATA } from './size.ts';
import { dataIn, metadataIn, metadataOf } from './user-data.ts';

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
): Delivery<JsonObject> {
  const { userData, allowInClear } = situation.input.gcp;
  const cloud = {
    section: 'gcp',
    store: 'Secret Manager',
    place: 'metadata',
    wantsSecret: userData === 'SecretManager',
    allowInClear,
    inClear: () => inClear(boot, situation.owner),
    handOver: () => handOver(situation, infrastructure, boot),
    written: (bytes: Uint8Array): JsonObject => metadataOf(bytes),
    made,
  };
  return deliver(situation, boot, cloud, instance, registered);
}

/** Unchanged if it fits, gzipped if it only fits then. Throws PayloadTooLarge with sizes and limit. */
function inClear({ bytes, format, gzip }: FirstBoot, owner: string): Uint8Array {
  const { title, limit } = METADATA;
  const found = [bytes, ...(gzip ? [stableGzip(bytes)] : [])].find((data) => sizeIn(metadataOf(data)) <= limit);
  if (found !== undefined) return found;
  const size = gzip ? `${bytes.length} bytes, also too many gzipped` : `${bytes.length} bytes, in format ${format}`;
  throw tooLarge(owner, size, `${title} accepts ${limit}`, bytes.length - limit);
}

function sizeIn(metadata: Readonly<Record<string, string>>): number {
  return Math.max(...Object.values(metadata).map((value) => Buffer.byteLength(value)));
}

function made(instance: KubeObject): { readonly userData: JsonObject; readonly bytes: Uint8Array } | undefined {
  const userData = metadataIn(instance);
  return userData === undefined ? undefined : { userData, bytes: dataIn(userData) };
}
