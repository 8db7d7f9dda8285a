/** How first-boot data reaches a machine on AWS: as a secret, or unencrypted as user data. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { isBoothook } from '#lib/cloud/boothook.ts';
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import { isIgnitionStub } from '#lib/cloud/ignition-stub.ts';
import { INPUT_NAME } from '#lib/cloud/machine-input.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import type { Situation } from './situation.ts';
import { handOver, underWay } from './hand-over.ts';
import { tooLarge, USER_DATA_LIMIT as LIMIT } from './size.ts';

export interface Delivery {
  /** Base64; undefined if the instance exists and its user data is not observed. */
  readonly userData: string | undefined;
  /** Size of the first-boot data as sent to AWS; undefined if it is no longer visible. */
  readonly bytes: number | undefined;
  /** The resources that deliver it, by composition resource name. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** Why the instance must not be created yet. */
  readonly blockedBy: string | undefined;
  /** What the platform chose and the format does not support. */
  readonly note: string | undefined;
}

function canBeHandedOver({ fetchedWhole, apart }: FirstBoot): boolean {
  return fetchedWhole || apart !== undefined;
}

const NOTHING = { resources: new Map<string, KubeObject>(), blockedBy: undefined, note: undefined };

/**
 * An existing instance keeps the delivery it was created with, whatever is configured now. For a new instance throws
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
  const wantsSecret = situation.input.aws.userData === 'SecretsManager';
  const note = wantsSecret && !canBeHandedOver(boot) ? inClearFor(boot) : undefined;
  if (instance !== undefined)
    return { ...asCreated(instance), note, resources: new Map(registered ? [] : underWay(situation)) };
  if (note !== undefined) refuseInClear(situation, boot);
  if (!wantsSecret || note !== undefined) return { ...inClear(userData(boot, situation.owner)), note };
  const handed = handOver(situation, infrastructure, boot);
  if (handed === undefined) return { ...NOTHING, userData: undefined, bytes: undefined, blockedBy: nowhere(situation) };
  const { bytes, blockedBy } = handed;
  return { ...NOTHING, userData: base64(handed.userData), bytes, blockedBy, resources: new Map(handed.resources) };
}

function inClearFor({ format, joinSecrets, claimSecrets }: FirstBoot): string {
  const why =
    joinSecrets || claimSecrets
      ? `Secrets Manager cannot deliver format ${format}`
      : `format ${format} cannot fetch it from elsewhere; it contains no join secret`;
  return `first-boot data is unencrypted in user data: ${why}`;
}

/** Formats are those of claims, because two of them may have the same kind of data. */
function refuseInClear({ machine, input, owner }: Situation, { joinSecrets, claimSecrets }: FirstBoot): void {
  const { format } = machine.spec.provisioning;
  if ((!joinSecrets && !claimSecrets) || input.aws.allowInClear.includes(format)) return;
  const secrets = joinSecrets ? 'its join secrets' : 'the values of its Secrets';
  throw refusalFor(
    owner,
    'spec.provisioning.format',
    `Secrets Manager cannot deliver the first-boot data of ${format}, and everyone who may describe the instance could read ${secrets} in user data; accepted: another format, or ${format} in aws.allowInClear of ${INPUT_NAME}`,
    'Unsupported',
  );
}

/**
 * First-boot data as EC2 user data, which has at most 16,384 bytes before base64: unchanged if it fits, gzipped if it
 * only fits then. Throws PayloadTooLarge with sizes and limit.
 */
function userData({ bytes, format, gzip }: FirstBoot, owner: string): Uint8Array {
  if (bytes.length <= LIMIT) return bytes;
  const packed = gzip ? stableGzip(bytes) : bytes;
  if (packed.length <= LIMIT) return packed;
  const size = gzip ? `${packed.length} bytes gzipped` : `${bytes.length} bytes and ${format} cannot be gzipped`;
  throw tooLarge(owner, size, `EC2 accepts ${LIMIT}`, packed.length - LIMIT);
}

function inClear(bytes: Uint8Array): Delivery {
  return { ...NOTHING, userData: base64(bytes), bytes: bytes.length };
}

function asCreated(instance: KubeObject): Delivery {
  const data = stringAt(instance, 'spec', 'initProvider', 'userDataBase64');
  if (data === undefined) return { ...NOTHING, userData: undefined, bytes: undefined };
  const bytes = Buffer.from(data, 'base64');
  return { ...NOTHING, userData: data, bytes: isBoothook(bytes) || isIgnitionStub(bytes) ? undefined : bytes.length };
}

function nowhere({ machine }: Situation): string {
  const field = machine.spec.role === 'control-plane' ? 'controlPlane' : 'worker';
  return `waiting for status.infrastructure.${field}.firstBootSecrets of Cluster ${machine.spec.clusterRef.name}: first-boot data is delivered there; with aws.userData: Plain in the Composition it is not needed`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
