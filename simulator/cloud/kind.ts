/**
 * What the folder of a cloud declares about one kind of managed resource; otherwise the provider treats all kinds
 * alike.
 */
import type { JsonObject } from '#lib/api/json.ts';
import type { Dice } from '../clock/dice.ts';
import type { NameRule } from './names.ts';

/** A cloud object. */
export interface CloudObject {
  readonly kind: CloudKind;
  /** Name and namespace of the managed resource that created it. */
  readonly owner: { readonly name: string; readonly namespace: string };
  readonly id: string;
  readonly arn: string;
  /** Arguments as stored in the cloud. */
  readonly attributes: JsonObject;
  /** Fields that the cloud reports. */
  readonly outputs: JsonObject;
}

/** What is known when a cloud object is created. */
export interface NewObject {
  readonly id: string;
  readonly arn: string;
  /** Name of the managed resource. */
  readonly name: string;
  readonly attributes: JsonObject;
  /** How often an object was created for a managed resource of this name, this one included. */
  readonly creations: number;
  readonly dice: Dice;
  /** Other cloud objects, by id or ARN. */
  readonly find: (id: string) => CloudObject | undefined;
}

/** What a zone may run out of. */
export interface Room {
  readonly zone: string;
  /** The name that the cloud uses. */
  readonly size: string;
  /** The error of the cloud if the zone has none left. @param request  the cloud's id of the call */
  readonly refusal: (request: string) => string;
}

/** What a machine boots, and on which processors; undefined: not known. */
export interface Boots {
  readonly image: string | undefined;
  readonly architecture: 'amd64' | 'arm64' | undefined;
  /** The error of the cloud if they do not fit. @param image the architecture of the image @param size that of the size */
  readonly refusal: (image: string, size: string) => string;
}

/** The list of disks of a machine, to which drivers in the cluster attach volumes. */
export interface VolumeList {
  /** Argument: a list of blocks. */
  readonly list: string;
  /** Field of a block: what a driver knows the volume by. */
  readonly by: string;
  /** What the provider does with the list if it is told none: reads it, or makes it empty. */
  readonly untold: 'read' | 'emptied';
}

/** How a provider starts a machine again that it stopped to change it. */
export interface Power {
  /** The field that the cloud reports, and its value while the machine runs. */
  readonly output: string;
  readonly on: string;
  /** Whether it also starts a machine that was off when the change began, such as one left off by a failed change. */
  readonly starts: (wanted: JsonObject) => boolean;
  /** The argument that says whether it is to run; undefined: the provider has none. */
  readonly argument?: string;
}

export interface CloudKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The name that the cloud uses for the kind. */
  readonly title: string;
  /** Prefix of ids, such as `vpc-`; undefined if the name is the id. */
  readonly idPrefix?: string;
  /**
   * The provider knows an object by what `arn` says, or by a part of that, and one that exists under another name is not
   * its own. @default false
   */
  readonly knownByPath?: boolean | ((arn: string) => string);
  /** Which names it may have; undefined: the cloud gives the name. */
  readonly names?: NameRule | undefined;
  /** Builds the ARN. */
  readonly arn: (id: string, attributes: JsonObject) => string;
  /** Duration of a creation, a change and a deletion, in seconds. */
  readonly seconds: {
    readonly create: readonly [number, number];
    readonly update: readonly [number, number];
    readonly delete: readonly [number, number];
  };
  /** Dotted arguments whose change requires another object, without list positions. */
  readonly forceNew: readonly string[];
  /** Reference fields without their `Ref`: the argument, and the kind it refers to. */
  readonly references: Readonly<Record<string, string>>;
  /** Arguments that the provider fills in from the cloud if the managed resource does not set them. */
  readonly lateInitialized?: readonly string[];
  /** Arguments that the provider reads from other objects of the cloud; it fills them in as well. */
  readonly reads?: (object: CloudObject, things: readonly CloudObject[]) => JsonObject;
  /** The arguments with what is the default within a block, if the block is there. */
  readonly defaulted?: (wanted: JsonObject) => JsonObject;
  /** Disks that others attach; it is among lateInitialized. */
  readonly volumes?: VolumeList;
  /** Lists of plain values that merge as sets, and lists of blocks that merge by their `index`, as in the CRDs. */
  readonly lists?: Readonly<Record<string, 'set' | 'index'>>;
  /** Arguments whose value is in a Secret named by `<argument>SecretRef`. */
  readonly sensitive?: readonly string[];
  /** A reference to an id of it gets the id that it reports, instead of its name. @default false */
  readonly refersByReportedId?: boolean;
  /** The provider reports no ARN of it. @default false */
  readonly withoutArn?: boolean;
  /** Arguments and outputs that are never reported. */
  readonly hidden?: readonly string[];
  /** Kinds and arguments that block the deletion of this object while they name it. */
  readonly blockedBy?: Readonly<Record<string, readonly string[]>>;
  /** Kinds and arguments: what names this object is a part of it, and deleted with it. */
  readonly takes?: Readonly<Record<string, string>>;
  /** The machine whose node needs it until it is drained; undefined: none has it. */
  readonly neededBy?: (thing: CloudObject, things: readonly CloudObject[]) => CloudObject | undefined;
  /** Of a disk: its provider detaches it from a machine to delete it. @default false */
  readonly isDetached?: boolean;
  /** Arguments that the cloud fills in on creation, and the fields that it reports. */
  readonly created?: (object: NewObject) => { readonly attributes?: JsonObject; readonly outputs?: JsonObject };
  /** The reported fields while an argument is changed; undefined if the change has no visible effect. */
  readonly during?: (changed: readonly string[]) => JsonObject | undefined;
  /** How a machine starts again after a change; undefined: no change stops the object. */
  readonly power?: Power;
  /** The capacity that it uses; absent if no zone runs out of it. */
  readonly room?: (attributes: JsonObject, find: (id: string) => CloudObject | undefined) => Room;
  /** Of machines. */
  readonly boots?: (attributes: JsonObject) => Boots;
  /** Why the cloud refuses to delete it although nothing depends on it; undefined if it does not. */
  readonly refusesDeletion?: (attributes: JsonObject, id: string) => string | undefined;
  /** Why the cloud refuses to create it; undefined if it does not. */
  readonly refuses?: (attributes: JsonObject, find: (id: string) => CloudObject | undefined) => string | undefined;
  /** Why the provider refuses to change these arguments now; undefined if it does not. */
  readonly refusesChange?: (changed: readonly string[], wanted: JsonObject) => string | undefined;
}
