/**
 * First-boot data that a cloud hands over as a secret of its own, which only its machine reads: what every such delivery
 * has. The user data of the machine then holds no secret, only a script that fetches the rest.
 */
import { isManagedReady, isNotCreated, whyNotReady } from '#lib/api/conditions.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { type FirstBoot, payloadName } from './first-boot.ts';
import { ignitionStub } from './ignition-stub.ts';
import { labelsOf } from './labels.ts';
import type { MachineSituation } from './machine.ts';
import { type Entry, isIdStored } from './managed.ts';
import { notMadeAgain } from './policies.ts';
import { type Room, tooLarge } from './size.ts';

export interface HandOver {
  /** The resources that deliver the data. */
  readonly resources: readonly Entry[];
  readonly userData: Uint8Array;
  /** Size of the data in the store. */
  readonly bytes: number;
  /** Why the machine must not boot yet. */
  readonly blockedBy: string | undefined;
}

/** Composition resource names of the secret, its content, and a Secret with the content in another form. */
export const HAND_OVER = { secret: 'first-boot-secret', data: 'first-boot-data', packed: 'first-boot-packed' } as const;
const KEYS: ReadonlySet<string> = new Set(Object.values(HAND_OVER));

/** @param key  composition resource name */
export function isHandOver(key: string): boolean {
  return KEYS.has(key);
}

/**
 * The delivery for an existing machine. The data is never delivered again: a machine boots once, and deletes it. Its
 * provider would make it again, the secret without its content, or the content for nobody.
 * @param isComplete whether nothing has to be changed about an object any more
 */
export function underWay(
  { observed }: Pick<MachineSituation, 'observed'>,
  isOfHandOver = isHandOver,
  isComplete: (key: string, object: KubeObject) => boolean = () => true,
): readonly Entry[] {
  return [...observed]
    .filter(([key]) => isOfHandOver(key))
    .map(([key, object]) => {
      const kept = asDesired(object);
      return [key, isManaged(object) && isMade(object) && isComplete(key, object) ? notMadeAgain(kept) : kept];
    });
}

/** The Secret with packed data is none. */
function isManaged({ spec }: KubeObject): boolean {
  return spec?.['forProvider'] !== undefined;
}

/** Its id is stored: what the provider has yet to find again would be left in the cloud. */
function isMade(object: KubeObject): boolean {
  return isIdStored(object) && isDelivered(object);
}

function isDelivered(object: KubeObject | undefined): boolean {
  return isManagedReady(object) || stringAt(object, 'status', 'atProvider', 'id') !== undefined;
}

/**
 * Why the machine must wait for its data. Delivered stays delivered: the machine deletes its data, and Crossplane may
 * call with an XR that is older than the machine. A response without it would then remove it from the references of the
 * XR, for ever.
 * @param store as people call it
 */
export function waitsFor(data: KubeObject | undefined, store: string): string | undefined {
  if (isDelivered(data)) return undefined;
  const why = isNotCreated(data) ? undefined : whyNotReady(data);
  return `first-boot data is not in ${store} yet${why === undefined ? '' : `: ${why}`}`;
}

export interface Way {
  /** The data for the store, and its key in the payload Secret. */
  readonly bytes: Uint8Array;
  readonly key: string;
  readonly userData: Uint8Array;
}

/**
 * All of it if a script of cloud-init can fetch the whole format; otherwise only generated data, which a unit fetches.
 * @param stub user data that fetches all @param script fetches the sealed part
 */
export function wayOf({ bytes, apart }: FirstBoot, stub: () => Uint8Array, script: () => string): Way {
  if (apart === undefined) return { bytes, key: PAYLOAD_KEYS.value, userData: stub() };
  return { bytes: apart.sealed, key: PAYLOAD_KEYS.sealed, userData: ignitionStub(script(), apart) };
}

/** Throws PayloadTooLarge if what fetches the data does not fit. */
export function checkUserData({ length }: Uint8Array, store: Room, carrier: Room, owner: string): void {
  if (length <= carrier.limit) return;
  const [size, limit] = [
    `${length} bytes besides the part in ${store.title}`,
    `${carrier.title} accepts ${carrier.limit}`,
  ];
  throw tooLarge(owner, size, limit, length - carrier.limit);
}

/** The data gzipped, if it only fits then; undefined if it fits as it is. Throws PayloadTooLarge. */
export function packedFor(store: Room, bytes: Uint8Array, owner: string): Uint8Array | undefined {
  if (bytes.length <= store.limit) return undefined;
  const packed = stableGzip(bytes);
  if (packed.length <= store.limit) return packed;
  const [size, limit] = [`${packed.length} bytes gzipped`, `${store.title} accepts ${store.limit}`];
  throw tooLarge(owner, size, limit, packed.length - store.limit);
}

/** Name of the objects that hand the data over. */
export function handOverName({ machine }: Pick<MachineSituation, 'machine'>): string {
  return `${machine.metadata.name}-first-boot`;
}

/** Name of the Secret with the data in another form than in the payload Secret. */
export function packedName({ machine }: Pick<MachineSituation, 'machine'>): string {
  return `${payloadName(machine.metadata.name)}-packed`;
}

/** That Secret. @param values by key, as a provider reads them */
export function packedSecret(
  situation: Pick<MachineSituation, 'machine'>,
  values: Readonly<Record<string, string>>,
): KubeObject {
  const { machine } = situation;
  const encoded = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: packedName(situation), namespace: machine.metadata.namespace, labels: labelsOf(machine) },
    data: Object.fromEntries(encoded),
  };
}
