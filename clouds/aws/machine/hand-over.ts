/**
 * Delivers first-boot data with AWS Secrets Manager. Everyone who may describe an instance can read its user data, and
 * it is unencrypted in the managed resource. A secret is only read by its machine, and is deleted once the node
 * registered.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import type { KubeObject } from '#lib/api/json.ts';
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
import { hostOf } from './place.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { USER_DATA } from './size.ts';
import { tagsOf } from './tags.ts';

/** The size of a secret value. */
const STORE: Room = { title: 'Secrets Manager', limit: 65_536 };

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
  const { bytes, key, userData } = wayOf(
    boot,
    () => bootStub(place),
    () => fetchScript(place),
  );
  checkUserData(userData, STORE, USER_DATA, owner);
  const packed = packedFor(STORE, bytes, owner);
  return {
    resources: [
      [HAND_OVER.secret, secretOf(situation, infrastructure, secret)],
      ...(packed === undefined ? [] : [[HAND_OVER.packed, packedOf(situation, packed)] as const]),
      [HAND_OVER.data, versionOf(situation, region, packed === undefined ? key : undefined)],
    ],
    userData,
    bytes: (packed ?? bytes).length,
    blockedBy: waitsFor(observed.get(HAND_OVER.data), STORE.title),
  };
}

function secretOf(situation: Situation, infrastructure: InfrastructureStatus, name: string): KubeObject {
  const { namespace, name: machine } = situation.machine.metadata;
  const key = encryptionKey(infrastructure, situation.input.aws.kmsKeyId);
  return managed(situation, 'Secret', handOverName(situation), {
    region: infrastructure.region,
    name,
    description: `First-boot data of Machine ${namespace}/${machine}, which deletes it`,
    // Deleted without recovery: join secrets of a joined machine are not needed again.
    recoveryWindowInDays: 0,
    ...(key === undefined ? {} : { kmsKeyId: key }),
    tags: tagsOf(situation, infrastructure),
  });
}

/** By reference: the data itself is only in Secrets. @param key in the payload Secret; undefined if it is packed */
function versionOf(situation: Situation, region: string, key: string | undefined): KubeObject {
  const payload = payloadName(situation.machine.metadata.name);
  const name = handOverName(situation);
  return managed(situation, 'SecretVersion', name, {
    region,
    secretIdRef: { name },
    ...(key === undefined
      ? { secretBinarySecretRef: { name: packedName(situation), key: PAYLOAD_KEYS.value } }
      : { secretStringSecretRef: { name: payload, key } }),
  });
}

/** The provider takes binary data as base64. */
function packedOf(situation: Situation, packed: Uint8Array): KubeObject {
  return packedSecret(situation, { [PAYLOAD_KEYS.value]: Buffer.from(packed).toString('base64') });
}
