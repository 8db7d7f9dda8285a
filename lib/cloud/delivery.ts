/**
 * How first-boot data reaches a machine: as a secret of the cloud, or unencrypted beside the machine. A cloud says how,
 * and how its things are called.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { isBoothook } from './boothook.ts';
import type { FirstBoot } from './first-boot.ts';
import { type HandOver, underWay } from './hand-over.ts';
import { isIgnitionStub } from './ignition-stub.ts';
import { inClear } from './in-clear.ts';
import type { MachineSituation } from './machine.ts';

/** @typeParam Data  user data, as the machine of this cloud has it */
export interface Delivery<Data> {
  /** Undefined if the machine exists and its user data is not observed. */
  readonly userData: Data | undefined;
  /** Size of the first-boot data as sent to the cloud; undefined if it is no longer visible. */
  readonly bytes: number | undefined;
  /** The resources that deliver it, by composition resource name. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** Why the machine must not be created yet. */
  readonly blockedBy: string | undefined;
  /** What the platform chose and the format does not support. */
  readonly note: string | undefined;
}

/** The part of a cloud. */
export interface Delivering<Data> {
  /** Of its section in the input. */
  readonly section: string;
  /** As people call the store of secrets, and the place of user data. */
  readonly store: string;
  readonly place: string;
  /** Whether the platform wants secrets, and the formats of claims that it allows in clear. */
  readonly wantsSecret: boolean;
  readonly allowInClear: readonly string[];
  /** Throws PayloadTooLarge. */
  readonly inClear: () => Uint8Array;
  /** Undefined until the Cluster reports where. Throws PayloadTooLarge. */
  readonly handOver: () => HandOver | undefined;
  readonly written: (bytes: Uint8Array) => Data;
  /** What an existing machine was created with. */
  readonly made: (machine: KubeObject) => { readonly userData: Data; readonly bytes: Uint8Array } | undefined;
  /** Composition resource names of its hand-over. */
  readonly isHandOver?: (key: string) => boolean;
  /** Whether nothing has to be changed about an object of it any more; always, if it is left out. */
  readonly isComplete?: (key: string, object: KubeObject) => boolean;
}

const NOTHING = { resources: new Map<string, KubeObject>(), blockedBy: undefined, note: undefined };

/**
 * An existing machine keeps the delivery it was created with, whatever is configured now. For a new one throws
 * PayloadTooLarge, and Unsupported for secrets that would be in clear although the platform does not allow it.
 * @param observed the machine
 * @param registered whether its node is known, so that its first boot is over
 */
export function deliveryOf<Data>(
  situation: MachineSituation,
  boot: FirstBoot,
  cloud: Delivering<Data>,
  observed: KubeObject | undefined,
  registered: boolean,
): Delivery<Data> {
  const canBeHandedOver = boot.fetchedWhole || boot.apart !== undefined;
  const note = cloud.wantsSecret && !canBeHandedOver ? inClearFor(boot, cloud) : undefined;
  if (observed !== undefined)
    return {
      ...asCreated(observed, cloud),
      note,
      resources: new Map(registered ? [] : underWay(situation, cloud.isHandOver, cloud.isComplete)),
    };
  if (note !== undefined) refuseInClear(situation, boot, cloud);
  if (!cloud.wantsSecret || note !== undefined) {
    const bytes = cloud.inClear();
    return { ...NOTHING, userData: cloud.written(bytes), bytes: bytes.length, note };
  }
  const handed = cloud.handOver();
  if (handed === undefined)
    return { ...NOTHING, userData: undefined, bytes: undefined, blockedBy: nowhere(situation, cloud) };
  const { bytes, blockedBy, resources, userData } = handed;
  return { ...NOTHING, userData: cloud.written(userData), bytes, blockedBy, resources: new Map(resources) };
}

type Words = Pick<Delivering<unknown>, 'section' | 'store' | 'place' | 'allowInClear'>;

function inClearFor({ format, joinSecrets, claimSecrets }: FirstBoot, { store, place }: Words): string {
  const why =
    joinSecrets || claimSecrets
      ? `${store} cannot deliver format ${format}`
      : `format ${format} cannot fetch it from elsewhere; it contains no join secret`;
  return `first-boot data is unencrypted in ${place}: ${why}`;
}

/** Formats are those of claims, because two of them may have the same kind of data. */
function refuseInClear({ machine, owner }: MachineSituation, { joinSecrets, claimSecrets }: FirstBoot, words: Words) {
  const { format } = machine.spec.provisioning;
  if ((!joinSecrets && !claimSecrets) || words.allowInClear.includes(format)) return;
  throw inClear(owner, format, joinSecrets, words.section);
}

function asCreated<Data>(observed: KubeObject, cloud: Delivering<Data>): Delivery<Data> {
  const made = cloud.made(observed);
  if (made === undefined) return { ...NOTHING, userData: undefined, bytes: undefined };
  const { userData, bytes } = made;
  const isStub = isBoothook(bytes) || isIgnitionStub(bytes);
  return { ...NOTHING, userData, bytes: isStub ? undefined : bytes.length };
}

function nowhere({ machine }: MachineSituation, { section }: Words): string {
  const field = machine.spec.role === 'control-plane' ? 'controlPlane' : 'worker';
  return `waiting for status.infrastructure.${field}.firstBootSecrets of Cluster ${machine.spec.clusterRef.name}: first-boot data is delivered there; with ${section}.userData: Plain in the Composition it is not needed`;
}
