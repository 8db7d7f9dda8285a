/**
 * Delivers first-boot data with Secret Manager. Everyone who may describe a machine can read its metadata, every process
 * on it can, and it is unencrypted in the managed resource. A secret is only read by its machine, and is deleted once
 * the node registered.
 */
import { isManagedReady, whyNotReady } from '#lib/api/conditions.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { type FirstBoot, payloadName } from '#lib/cloud/first-boot.ts';
import { ignitionStub } from '#lib/cloud/ignition-stub.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { sayableProxy } from '#lib/cloud/proxy.ts';
import { attachmentsOf } from './attachments.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { machineLabels } from './labels.ts';
import { nameOf } from './name.ts';
import type { Place } from './place.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { tooLarge } from './size.ts';
import { LIMIT as METADATA_LIMIT } from './user-data.ts';

type Entry = readonly [key: string, resource: KubeObject];

export interface HandOver {
  readonly resources: readonly Entry[];
  readonly userData: Uint8Array;
  /** Size of the data in Secret Manager. */
  readonly bytes: number;
  /** Why the machine must not boot yet. */
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

/** Maximum size of a secret value in GCP. */
const LIMIT = 65_536;

/** The delivery for an existing machine. The data is never delivered again: a machine boots once. */
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
  const secret = `${prefix}${nameOf(situation, infrastructure)}`;
  const { bytes, key, userData } = wayOf(boot, { secret, proxy: sayableProxy(machine) });
  if (userData.length > METADATA_LIMIT)
    throw tooLarge(
      owner,
      `${userData.length} bytes besides the part in Secret Manager`,
      `metadata accepts ${METADATA_LIMIT}`,
      userData.length - METADATA_LIMIT,
    );
  const packed = bytes.length <= LIMIT ? undefined : stableGzip(bytes);
  const size = packed?.length ?? bytes.length;
  if (size > LIMIT) throw tooLarge(owner, `${size} bytes gzipped`, `Secret Manager accepts ${LIMIT}`, size - LIMIT);
  const version = observed.get(VERSION);
  return {
    resources: [
      [SECRET, secretOf(situation, infrastructure, secret)],
      ...(packed === undefined ? [] : [[PACKED, packedOf(situation, packed)] as const]),
      [VERSION, versionOf(situation, packed === undefined ? key : undefined)],
    ],
    userData,
    bytes: size,
    blockedBy: wasDelivered(version)
      ? undefined
      : `first-boot data is not in Secret Manager yet: ${whyNotReady(version) ?? 'not ready'}`,
  };
}

/** Stays true: the machine destroys the version, and Crossplane may call with an XR that is older than the machine. */
function wasDelivered(version: KubeObject | undefined): boolean {
  return isManagedReady(version) || stringAt(version, 'status', 'atProvider', 'id') !== undefined;
}

interface Way {
  /** The data for Secret Manager, and its key in the payload Secret. */
  readonly bytes: Uint8Array;
  readonly key: string;
  readonly userData: Uint8Array;
}

/** All of it if a script can fetch the whole format; otherwise only generated data, which a unit fetches. */
function wayOf({ bytes, apart }: FirstBoot, place: Place): Way {
  if (apart === undefined) return { bytes, key: PAYLOAD_KEYS.value, userData: bootStub(place) };
  return { bytes: apart.sealed, key: PAYLOAD_KEYS.sealed, userData: ignitionStub(fetchScript(place), apart) };
}

function objectName({ machine }: Situation): string {
  return `${machine.metadata.name}-first-boot`;
}

/** In the region of the cluster only. */
function secretOf(situation: Situation, infrastructure: InfrastructureStatus, secret: string): KubeObject {
  const { kmsKey } = situation.input.gcp;
  const replica: JsonObject = {
    location: infrastructure.region,
    ...(kmsKey === undefined ? {} : { customerManagedEncryption: { kmsKeyName: kmsKey } }),
  };
  return managed(situation, 'Secret', {
    name: objectName(situation),
    externalName: secret,
    forProvider: {
      replication: { userManaged: { replicas: [replica] } },
      labels: machineLabels(situation, infrastructure),
    },
  });
}

/** By reference: the data itself is only in Secrets. @param key in the payload Secret; undefined if it is packed */
function versionOf(situation: Situation, key: string | undefined): KubeObject {
  const name = objectName(situation);
  const payload = payloadName(situation.machine.metadata.name);
  return managed(situation, 'SecretVersion', {
    name,
    forProvider: {
      secretRef: { name },
      ...(key === undefined
        ? {
            secretDataSecretRef: { name: packedName(situation), key: PAYLOAD_KEYS.value },
            isSecretDataBase64: true,
          }
        : { secretDataSecretRef: { name: payload, key } }),
    },
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
