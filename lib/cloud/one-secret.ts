/** A hand-over in a store that keeps the first-boot data of a machine as one secret with one version. */
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { FirstBoot } from './first-boot.ts';
import { checkUserData, HAND_OVER, type HandOver, packedFor, packedSecret, waitsFor, wayOf } from './hand-over.ts';
import type { MachineSituation } from './machine.ts';
import type { Room } from './size.ts';

/** The part of a cloud. */
export interface OneSecret {
  /** What a secret accepts, and what user data accepts. */
  readonly store: Room;
  readonly carrier: Room;
  /** User data that fetches all. */
  readonly stub: () => Uint8Array;
  /** A script that fetches the sealed part. */
  readonly script: () => string;
  readonly secret: () => KubeObject;
  /** By reference: the data itself is only in Secrets. @param key in the payload Secret; undefined if it is packed */
  readonly version: (key: string | undefined) => KubeObject;
}

/** Throws PayloadTooLarge. */
export function asOneSecret(situation: MachineSituation, boot: FirstBoot, cloud: OneSecret): HandOver {
  const { observed, owner } = situation;
  const { store, carrier } = cloud;
  const { bytes, key, userData } = wayOf(boot, cloud.stub, cloud.script);
  checkUserData(userData, store, carrier, owner);
  const packed = packedFor(store, bytes, owner);
  return {
    resources: [
      [HAND_OVER.secret, cloud.secret()],
      ...(packed === undefined ? [] : [[HAND_OVER.packed, packedOf(situation, packed)] as const]),
      [HAND_OVER.data, cloud.version(packed === undefined ? key : undefined)],
    ],
    userData,
    bytes: (packed ?? bytes).length,
    blockedBy: waitsFor(observed.get(HAND_OVER.data), store.title),
  };
}

/** Providers take binary data as base64. */
function packedOf(situation: MachineSituation, packed: Uint8Array): KubeObject {
  return packedSecret(situation, { [PAYLOAD_KEYS.value]: Buffer.from(packed).toString('base64') });
}
