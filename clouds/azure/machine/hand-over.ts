/**
 * Delivers first-boot data with Key Vault. Custom data stays on the machine, where every process with the rights of root
 * can read it. A secret of a vault is only read by machines of its role, and is deleted once the node registered.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { type FirstBoot, payloadName } from '#lib/cloud/first-boot.ts';
import {
  checkUserData,
  HAND_OVER,
  type HandOver,
  handOverName,
  packedName,
  packedSecret,
  waitsFor,
  wayOf,
} from '#lib/cloud/hand-over.ts';
import { sayableProxy } from '#lib/cloud/proxy.ts';
import { filled } from '#lib/cloud/reported.ts';
import { tooLarge } from '#lib/cloud/size.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { vaultOf } from '../ids.ts';
import { secretName } from '../names.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { addressOf } from './place.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { CUSTOM_DATA, MOST_PARTS, SECRET_LIMIT } from './size.ts';
import { machineTags } from './tags.ts';

const STORE = 'Key Vault';

/** @param key  composition resource name */
export function isHandOver(key: string): boolean {
  return key === HAND_OVER.packed || /^first-boot-data-\d+$/.test(key);
}

/** For a new machine; undefined until the Cluster reports where. Throws PayloadTooLarge. */
export function handOver(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
): HandOver | undefined {
  const { firstBootSecrets: secrets, identity } = attachmentsOf(situation, infrastructure) ?? {};
  if (secrets === undefined || identity === undefined) return undefined;
  const { machine, observed, owner } = situation;
  const name = secretName(machine.metadata.name);
  const data = boot.apart?.sealed ?? boot.bytes;
  const parts = partsOf(data, owner);
  const domain = situation.input.azure.vaultDomain;
  const place = {
    secret: addressOf(secrets, name, domain),
    parts: parts.length,
    identity,
    domain,
    proxy: sayableProxy(machine),
  };
  const { key, userData } = wayOf(
    boot,
    () => bootStub(place),
    () => fetchScript(place),
  );
  checkUserData(userData, { title: STORE, limit: SECRET_LIMIT }, CUSTOM_DATA, owner);
  const target = { situation, infrastructure, secrets };
  const delivered: readonly Entry[] =
    parts.length === 0
      ? [secret(target, 0, name, { name: payloadName(machine.metadata.name), key })]
      : parts.map((_, n) => secret(target, n, `${name}-${n}`, { name: packedName(situation), key: partKey(n) }));
  const waiting = delivered.map(([part]) => waitsFor(observed.get(part), STORE)).find((why) => why !== undefined);
  return {
    resources: [...(parts.length === 0 ? [] : [[HAND_OVER.packed, packedOf(situation, parts)] as const]), ...delivered],
    userData,
    bytes: parts.length === 0 ? data.length : parts.join('').length,
    blockedBy: waiting,
  };
}

/** None if the data fits into one secret as it is; otherwise gzipped, in base64 and cut. Throws PayloadTooLarge. */
function partsOf(data: Uint8Array, owner: string): readonly string[] {
  if (data.length <= SECRET_LIMIT) return [];
  const text = Buffer.from(stableGzip(data)).toString('base64');
  const most = MOST_PARTS * SECRET_LIMIT;
  if (text.length > most)
    throw tooLarge(
      owner,
      `${text.length} bytes gzipped, in base64`,
      `${STORE} accepts ${most} in ${MOST_PARTS} secrets`,
      text.length - most,
    );
  return Array.from({ length: Math.ceil(text.length / SECRET_LIMIT) }, (_, n) =>
    text.slice(n * SECRET_LIMIT, (n + 1) * SECRET_LIMIT),
  );
}

const partKey = (n: number): string => `part-${n}`;

function packedOf(situation: Situation, parts: readonly string[]) {
  return packedSecret(situation, Object.fromEntries(parts.map((part, n) => [partKey(n), part])));
}

interface Target {
  readonly situation: Situation;
  readonly infrastructure: InfrastructureStatus;
  /** The ids of the vault's secrets, as a prefix, as the Cluster reports it. */
  readonly secrets: string;
}

/** By reference: the data itself is only in Secrets. */
function secret(
  { situation, infrastructure, secrets }: Target,
  n: number,
  name: string,
  valueSecretRef: { readonly name: string; readonly key: string },
): Entry {
  const key = `${HAND_OVER.data}-${n}`;
  const known = situation.observed.get(key)?.metadata?.annotations?.[CROSSPLANE.externalName];
  const address = addressOf(secrets, name, situation.input.azure.vaultDomain);
  const resource = managed(situation, 'Secret', {
    name: `${handOverName(situation)}-${n}`,
    externalName: filled(known) ?? `${address}/${NO_VERSION}`,
    forProvider: {
      keyVaultId: vaultOf(secrets),
      name,
      valueSecretRef,
      tags: secretTags(situation, infrastructure),
    },
  });
  return [key, resource];
}

/** The provider finds a secret by its name, whatever the version: a provider that restarts finds its secret again. */
const NO_VERSION = '0'.repeat(32);

/** A secret has at most 15 tags, so it has those of Slipway and none of the platform. */
function secretTags(situation: Situation, infrastructure: InfrastructureStatus): Record<string, string> {
  const all = Object.entries(machineTags(situation, infrastructure));
  return Object.fromEntries(all.filter(([key]) => key.startsWith('slipway-')));
}
