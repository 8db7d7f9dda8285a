/** How first-boot data reaches a machine on GCP: as a secret, or unencrypted as metadata. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { isBoothook } from '#lib/cloud/boothook.ts';
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import { isIgnitionStub } from '#lib/cloud/ignition-stub.ts';
import { INPUT_NAME } from '#lib/cloud/machine-input.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { handOver, underWay } from './hand-over.ts';
import type { Situation } from './situation.ts';
import { tooLarge } from './size.ts';
import { dataIn, LIMIT, metadataIn, metadataOf } from './user-data.ts';

export interface Delivery {
  /** Of the machine; undefined if it exists and its user data is not observed. */
  readonly metadata: JsonObject | undefined;
  /** Size of the first-boot data as sent to GCP; undefined if it is no longer visible. */
  readonly bytes: number | undefined;
  /** The resources that deliver it, by composition resource name. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** Why the machine must not be created yet. */
  readonly blockedBy: string | undefined;
  /** What the platform chose and the format does not support. */
  readonly note: string | undefined;
}

const NOTHING = { resources: new Map<string, KubeObject>(), blockedBy: undefined, note: undefined };

/**
 * An existing machine keeps the delivery it was created with, whatever is configured now. For a new one throws
 * PayloadTooLarge, and Unsupported for secrets that would be in clear although the platform does not allow it.
 * @param instance as observed
 * @param registered whether its node is known, so that its first boot is over
 */
export function deliveryOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
  instance: KubeObject | undefined,
  registered: boolean,
): Delivery {
  const wantsSecret = situation.input.gcp.userData === 'SecretManager';
  const canBeHandedOver = boot.fetchedWhole || boot.apart !== undefined;
  const note = wantsSecret && !canBeHandedOver ? inClearFor(boot) : undefined;
  if (instance !== undefined)
    return { ...asCreated(instance), note, resources: new Map(registered ? [] : underWay(situation)) };
  if (note !== undefined) refuseInClear(situation, boot);
  if (!wantsSecret || note !== undefined) return { ...inClear(boot, situation.owner), note };
  const handed = handOver(situation, infrastructure, boot);
  if (handed === undefined) return { ...NOTHING, metadata: undefined, bytes: undefined, blockedBy: nowhere(situation) };
  const { bytes, blockedBy, resources, userData } = handed;
  return { ...NOTHING, metadata: metadataOf(userData), bytes, blockedBy, resources: new Map(resources) };
}

function inClearFor({ format, joinSecrets, claimSecrets }: FirstBoot): string {
  const why =
    joinSecrets || claimSecrets
      ? `Secret Manager cannot deliver format ${format}`
      : `format ${format} cannot fetch it from elsewhere; it contains no join secret`;
  return `first-boot data is unencrypted in metadata: ${why}`;
}

/** Formats are those of claims, because two of them may have the same kind of data. */
function refuseInClear({ machine, input, owner }: Situation, { joinSecrets, claimSecrets }: FirstBoot): void {
  const { format } = machine.spec.provisioning;
  if ((!joinSecrets && !claimSecrets) || input.gcp.allowInClear.includes(format)) return;
  const secrets = joinSecrets ? 'its join secrets' : 'the values of its Secrets';
  throw refusalFor(
    owner,
    'spec.provisioning.format',
    `Secret Manager cannot deliver the first-boot data of ${format}, and everyone who may describe the machine could read ${secrets} in metadata; accepted: another format, or ${format} in gcp.allowInClear of ${INPUT_NAME}`,
    'Unsupported',
  );
}

/** Unchanged if it fits, gzipped if it only fits then. */
function inClear({ bytes, format, gzip }: FirstBoot, owner: string): Delivery {
  const found = [bytes, ...(gzip ? [stableGzip(bytes)] : [])].find((data) => sizeIn(metadataOf(data)) <= LIMIT);
  if (found !== undefined) return { ...NOTHING, metadata: metadataOf(found), bytes: found.length };
  const size = gzip ? `${bytes.length} bytes, also too many gzipped` : `${bytes.length} bytes, in format ${format}`;
  throw tooLarge(owner, size, `metadata accepts ${LIMIT}`, bytes.length - LIMIT);
}

function sizeIn(metadata: Readonly<Record<string, string>>): number {
  return Math.max(...Object.values(metadata).map((value) => Buffer.byteLength(value)));
}

function asCreated(instance: KubeObject): Delivery {
  const metadata = metadataIn(instance);
  if (metadata === undefined) return { ...NOTHING, metadata: undefined, bytes: undefined };
  const data = dataIn(metadata);
  return { ...NOTHING, metadata, bytes: isBoothook(data) || isIgnitionStub(data) ? undefined : data.length };
}

function nowhere({ machine }: Situation): string {
  const field = machine.spec.role === 'control-plane' ? 'controlPlane' : 'worker';
  return `waiting for status.infrastructure.${field}.firstBootSecrets of Cluster ${machine.spec.clusterRef.name}: first-boot data is delivered there; with gcp.userData: Plain in the Composition it is not needed`;
}
