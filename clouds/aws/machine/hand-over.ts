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
import { type HandOver, handOverName, packedName } from '#lib/cloud/hand-over.ts';
import { asOneSecret } from '#lib/cloud/one-secret.ts';
import { sayableProxy } from '#lib/cloud/proxy.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { hostOf } from './place.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { STORE, USER_DATA } from './size.ts';
import { tagsOf } from './tags.ts';

/** For a new machine; undefined until the Cluster reports where. Throws PayloadTooLarge. */
export function handOver(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
): HandOver | undefined {
  const prefix = attachmentsOf(situation, infrastructure)?.firstBootSecrets;
  if (prefix === undefined) return undefined;
  const { machine } = situation;
  const { region } = infrastructure;
  const secret = `${prefix}${machine.metadata.name}`;
  const place = { region, host: hostOf(region), secret, proxy: sayableProxy(machine) };
  return asOneSecret(situation, boot, {
    store: STORE,
    carrier: USER_DATA,
    stub: () => bootStub(place),
    script: () => fetchScript(place),
    secret: () => secretOf(situation, infrastructure, secret),
    version: (key) => versionOf(situation, region, key),
  });
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
