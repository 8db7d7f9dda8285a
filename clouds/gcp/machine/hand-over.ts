/**
 * Delivers first-boot data with Secret Manager. Everyone who may describe a machine can read its metadata, every process
 * on it can, and it is unencrypted in the managed resource. A secret is only read by its machine, and is deleted once
 * the node registered.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { type FirstBoot, payloadName } from '#lib/cloud/first-boot.ts';
import { HAND_OVER, type HandOver, handOverName, packedName } from '#lib/cloud/hand-over.ts';
import { filled } from '#lib/cloud/reported.ts';
import { asOneSecret } from '#lib/cloud/one-secret.ts';
import { sayableProxy } from '#lib/cloud/proxy.ts';
import { secretName } from '../names.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { machineLabels } from './labels.ts';
import { nameOf } from './name.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { METADATA, STORE } from './size.ts';

/** For a new machine; undefined until the Cluster reports where. Throws PayloadTooLarge. */
export function handOver(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
): HandOver | undefined {
  const prefix = attachmentsOf(situation, infrastructure)?.firstBootSecrets;
  if (prefix === undefined) return undefined;
  const { machine, observed } = situation;
  const made = filled(observed.get(HAND_OVER.secret)?.metadata?.annotations?.[CROSSPLANE.externalName]);
  const secret = made ?? secretName(prefix, nameOf(situation, infrastructure), machine.metadata.uid);
  const place = { secret, proxy: sayableProxy(machine) };
  return asOneSecret(situation, boot, {
    store: STORE,
    carrier: METADATA,
    stub: () => bootStub(place),
    script: () => fetchScript(place),
    secret: () => secretOf(situation, infrastructure, secret),
    version: (key) => versionOf(situation, key),
  });
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
