/**
 * Delivers first-boot data with AWS Secrets Manager. Everyone who may describe an instance can read its user data, and
 * it is unencrypted in the managed resource. A secret is only read by its machine, and is deleted once the node
 * registered.
 */
import { isManagedReady, whyNotReady } from '#lib/api/conditions.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { sayableProxy } from '#lib/cloud/proxy.ts';
import { type FirstBoot, payloadName } from '#lib/cloud/first-boot.ts';
import type { Situation } from './situation.ts';
import { bootStub } from './boot-stub.ts';
import { ignitionStub } from './ignition-stub.ts';
import { managed } from './resource.ts';
import { hostOf, type Place } from './place.ts';
import { tooLarge, USER_DATA_LIMIT } from './size.ts';
import { attachmentsOf } from './attachments.ts';
import { tagsOf } from './tags.ts';

type Entry = readonly [key: string, resource: KubeObject];

export interface HandOver {
  /** The resources that deliver the data; none once it was delivered. */
  readonly resources: readonly Entry[];
  readonly userData: Uint8Array;
  /** Size of the data in Secrets Manager. */
  readonly bytes: number;
  /** Why the instance must not boot yet. */
  readonly blockedBy: string | undefined;
}

/** Composition resource names. */
const SECRET = 'first-boot-secret';
const VERSION = 'first-boot-data';
const PACKED = 'first-boot-packed';
const KEYS: ReadonlySet<string> = new Set([SECRET, VERSION, PACKED]);

/** @param key  composition resource name */
export function isHandOver(key: string): boolean {
  return KEYS.has(key);
}

/** Maximum size of a secret value in AWS. */
const LIMIT = 65_536;

/** The delivery for an existing instance. The data is never delivered again: a machine boots once. */
export function underWay({ observed }: Situation): readonly Entry[] {
  return [...observed].filter(([key]) => isHandOver(key)).map(([key, object]) => [key, asDesired(object)]);
}

/** For a new machine; undefined until the Cluster reports where. Throws PayloadTooLarge. */
export function handOver(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
): HandOver | undefined {
  const prefix = attachmentsOf(situation, infrastructure)?.firstBootSecrets;
  if (prefix === undefined) return undefined;
  const { machine, observed, owner } = situation;
  const { region } = infrastructure;
  const secret = `${prefix}${machine.metadata.name}`;
  const place = { region, host: hostOf(region), secret, proxy: sayableProxy(machine) };
  const { bytes, key, userData } = wayOf(boot, place);
  refuseLarge(userData, owner);
  const packed = bytes.length <= LIMIT ? undefined : stableGzip(bytes);
  const size = packed?.length ?? bytes.length;
  if (size > LIMIT) throw tooLarge(owner, `${size} bytes gzipped`, `Secrets Manager accepts ${LIMIT}`, size - LIMIT);
  const version = observed.get(VERSION);
  return {
    resources: [
      [SECRET, secretOf(situation, infrastructure, place.secret)],
      ...(packed === undefined ? [] : [[PACKED, packedOf(situation, packed)] as const]),
      [VERSION, versionOf(situation, region, packed === undefined ? key : undefined)],
    ],
    userData,
    bytes: size,
    blockedBy: wasDelivered(version)
      ? undefined
      : `first-boot data is not in Secrets Manager yet: ${whyNotReady(version) ?? 'not ready'}`,
  };
}

/**
 * Stays true: the machine deletes its secret, and Crossplane may call with an XR that is older than the instance. A
 * response without the instance would then remove it from the references of the XR, for ever.
 */
function wasDelivered(version: KubeObject | undefined): boolean {
  return isManagedReady(version) || stringAt(version, 'status', 'atProvider', 'id') !== undefined;
}

interface Way {
  /** The data for Secrets Manager, and its key in the payload Secret. */
  readonly bytes: Uint8Array;
  readonly key: string;
  readonly userData: Uint8Array;
}

/** All of it if a script can fetch the whole format; otherwise only generated data, which a unit fetches. */
function wayOf({ bytes, apart }: FirstBoot, place: Place): Way {
  if (apart === undefined) return { bytes, key: PAYLOAD_KEYS.value, userData: bootStub(place) };
  return { bytes: apart.sealed, key: PAYLOAD_KEYS.sealed, userData: ignitionStub(place, apart) };
}

function refuseLarge({ length }: Uint8Array, owner: string): void {
  if (length > USER_DATA_LIMIT)
    throw tooLarge(
      owner,
      `${length} bytes besides the part in Secrets Manager`,
      `EC2 accepts ${USER_DATA_LIMIT}`,
      length - USER_DATA_LIMIT,
    );
}

function nameOf({ machine }: Situation): string {
  return `${machine.metadata.name}-first-boot`;
}

function secretOf(situation: Situation, infrastructure: InfrastructureStatus, name: string): KubeObject {
  const { namespace, name: machine } = situation.machine.metadata;
  return managed(situation, 'Secret', nameOf(situation), {
    region: infrastructure.region,
    name,
    description: `First-boot data of Machine ${namespace}/${machine}, which deletes it`,
    // Deleted without recovery: join secrets of a joined machine are not needed again.
    recoveryWindowInDays: 0,
    ...(situation.input.aws.kmsKeyId === undefined ? {} : { kmsKeyId: situation.input.aws.kmsKeyId }),
    tags: tagsOf(situation, infrastructure),
  });
}

/** By reference: the data itself is only in Secrets. @param key in the payload Secret; undefined if it is packed */
function versionOf(situation: Situation, region: string, key: string | undefined): KubeObject {
  const payload = payloadName(situation.machine.metadata.name);
  return managed(situation, 'SecretVersion', nameOf(situation), {
    region,
    secretIdRef: { name: nameOf(situation) },
    ...(key === undefined
      ? { secretBinarySecretRef: { name: packedName(situation), key: PAYLOAD_KEYS.value } }
      : { secretStringSecretRef: { name: payload, key } }),
  });
}

function packedName({ machine }: Situation): string {
  return `${payloadName(machine.metadata.name)}-packed`;
}

/** The provider takes binary data as base64, and a Secret's data is base64 itself. */
function packedOf(situation: Situation, packed: Uint8Array): KubeObject {
  const { machine } = situation;
  const value = Buffer.from(Buffer.from(packed).toString('base64')).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: packedName(situation), namespace: machine.metadata.namespace, labels: labelsOf(machine) },
    data: { [PAYLOAD_KEYS.value]: value },
  };
}
