/**
 * Delivers first-boot data with Secret Manager. Everyone who may describe a machine can read its metadata, every process
 * on it can, and it is unencrypted in the managed resource. A secret is only read by its machine, and is deleted once
 * the node registered.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { type FirstBoot, payloadName } from '#lib/cloud/first-boot.ts';
import {
  checkUserData,
  HAND_OVER,
  type HandOver,
  handOverName,
  packedFor,
  packedName,
  packedSecret,
  type Room,
  waitsFor,
  wayOf,
} from '#lib/cloud/hand-over.ts';
import { sayableProxy } from '#lib/cloud/proxy.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { machineLabels } from './labels.ts';
import { nameOf } from './name.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { METADATA } from './size.ts';

/** The size of a secret value. */
const STORE: Room = { title: 'Secret Manager', limit: 65_536 };

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
  const place = { secret, proxy: sayableProxy(machine) };
  const { bytes, key, userData } = wayOf(
    boot,
    () => bootStub(place),
    () => fetchScript(place),
  );
  checkUserData(userData, STORE, METADATA, owner);
  const packed = packedFor(STORE, bytes, owner);
  return {
    resources: [
      [HAND_OVER.secret, secretOf(situation, infrastructure, secret)],
      ...(packed === undefined ? [] : [[HAND_OVER.packed, packedOf(situation, packed)] as const]),
      [HAND_OVER.data, versionOf(situation, packed === undefined ? key : undefined)],
    ],
    userData,
    bytes: (packed ?? bytes).length,
    blockedBy: waitsFor(observed.get(HAND_OVER.data), STORE.title),
  };
}

/** In the region of the cluster only. */
function secretOf(situation: Situation, infrastructure: InfrastructureStatus, secret: string): KubeObject {
  const key = encryptionKey(infrastructure, situation.input.gcp.kmsKey);
  const replica: JsonObject = {
    location: infrastructure.region,
    ...(key === undefined ? {} : { customerManagedEncryption: { kmsKeyName: key } }),
  };
  return managed(situation, 'Secret', {
    name: handOverName(situation),
    externalName: secret,
    forProvider: {
      replication: { userManaged: { replicas: [replica] } },
      labels: machineLabels(situation, infrastructure),
    },
  });
}

/** By reference: the data itself is only in Secrets. @param key in the payload Secret; undefined if it is packed */
function versionOf(situation: Situation, key: string | undefined): KubeObject {
  const name = handOverName(situation);
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

/** The provider takes binary data as base64. */
function packedOf(situation: Situation, packed: Uint8Array): KubeObject {
  return packedSecret(situation, { [PAYLOAD_KEYS.value]: Buffer.from(packed).toString('base64') });
}
